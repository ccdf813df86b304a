/**
 * A value as one line of JSON Lines, without the line break at its end.
 *
 * U+2028 and U+2029 may stand in a JSON string as they are, but many readers of lines, Node's own among them, take them
 * for the end of one. Source: RFC 8259 §7; ECMA-262 "Line Terminators".
 */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}
