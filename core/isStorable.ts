/**
 * Whether a text can be stored and canonicalised: neither is possible with a NUL or a lone surrogate.
 *
 * Source: RFC 8785 §3.2.2.2.
 */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000')
}
