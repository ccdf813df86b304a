/** An identifier short enough for a title; the whole one stands where it can be copied. */
export function shortIdentifier(id: string): string {
  return id.length > 16 ? `${id.slice(0, 9)}…${id.slice(-4)}` : id
}
