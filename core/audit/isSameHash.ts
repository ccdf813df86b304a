/** Whether two hashes are equal, byte for byte; hashes in a log are public, so the time it takes tells nothing. */
export function isSameHash(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}
