/** The SHA-256 digest of a text, by the means that Node, browsers and edge runtimes have in common. Source: FIPS 180-4. */
export async function sha256(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
}
