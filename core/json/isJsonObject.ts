/** Whether a JSON value is an object, as neither a list nor null is. Source: RFC 8259 §4. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
