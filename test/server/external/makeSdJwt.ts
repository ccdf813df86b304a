import { createHash, randomBytes } from 'node:crypto'
import { SDJwtInstance } from '@sd-jwt/core'
import type { CredentialHolder } from '../../harness/peers/createCredentialHolder.ts'
import { SECONDS, STATEMENT } from './openCredentialVerifier.ts'

/** Hashes a disclosure. */
export const hasher = (data: string | ArrayBuffer) =>
  createHash('sha256')
    .update(typeof data === 'string' ? data : Buffer.from(data))
    .digest()

type SdJwtParties = {
  issuer: CredentialHolder
  /** The holder to whose key the credential is bound. */
  ada: CredentialHolder
  typ?: string
  /** The signer in place of the issuer; by default, the issuer. */
  signer?: CredentialHolder
  /** The signer of the key binding; by default, Ada. */
  holder?: CredentialHolder
}

/** Creates an SD-JWT with the library, with a disclosed `level` and an undisclosed `region`. */
export function makeSdJwt({ issuer, ada, typ = 'dc+sd-jwt', signer = issuer, holder = ada }: SdJwtParties) {
  const made = new SDJwtInstance<Record<string, unknown>>({
    signer: async (text) => signer.signText(text),
    signAlg: signer.alg,
    hasher,
    hashAlg: 'sha-256',
    saltGenerator: async () => randomBytes(16).toString('base64url'),
    kbSigner: async (text) => holder.signText(text),
    kbSignAlg: holder.alg,
    omitTyp: true,
  })
  const claims = { iss: issuer.did, exp: SECONDS + 60, cnf: { jwk: ada.jwk }, level: 3, region: 'EU' }
  return {
    present: async (kb: object = STATEMENT, more: object = {}) => {
      const issued = await made.issue(
        { ...claims, ...more },
        { _sd: ['level', 'region'] },
        { header: { typ } },
      )
      const payload = kb as { aud: string; nonce: string; iat: number }
      return made.present(issued, { level: true }, { kb: { payload } })
    },
    issue: () => made.issue(claims, { _sd: ['level'] }, { header: { typ } }),
  }
}
