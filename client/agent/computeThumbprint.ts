import { encodeBase64Url } from '@svc/core/bytes.ts'
import { writeThumbprintInput } from '@svc/core/signing/writeThumbprintInput.ts'
import { sha256 } from '../http/sha256.ts'

/** Computes the identifier of a key, its JWK thumbprint, by Web Crypto. Source: RFC 7638 §3. */
export async function computeThumbprint(jwk: Parameters<typeof writeThumbprintInput>[0]): Promise<string> {
  return encodeBase64Url(await sha256(writeThumbprintInput(jwk)))
}
