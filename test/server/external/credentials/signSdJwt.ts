import { createHash } from 'node:crypto'
import { createCredentialHolder } from '../../../harness/peers/createCredentialHolder.ts'
import { SECONDS, STATEMENT } from '../openCredentialVerifier.ts'

/** A disclosure: its text as presented, and the digest that refers to it. */
export type Disclosure = { text: string; digest: string }

export const digestOf = (text: string) => createHash('sha256').update(text).digest('base64url')

/** Makes a disclosure of any contents; a claim has a salt, a name and a value, an element has a salt and a value. */
export function disclose(...contents: unknown[]): Disclosure {
  const text = Buffer.from(JSON.stringify(contents)).toString('base64url')
  return { text, digest: digestOf(text) }
}

/** What is presented, apart from the claims that every token of these tests has. */
export type Presentation = {
  payload?: object
  disclosures?: readonly string[]
  /** Header and claims of the key-binding JWT that differ from a valid one's. */
  bindingHeader?: object
  binding?: object
}

/** Creates an issuer and a holder; `present` signs an SD-JWT and its key binding by hand, so it can break any rule. */
export function createSdJwtParties() {
  const [issuer, ada] = [createCredentialHolder(), createCredentialHolder('P-256')]
  return {
    present({ payload, disclosures = [], bindingHeader, binding }: Presentation): string {
      const claims = { iss: issuer.did, cnf: { jwk: ada.jwk }, ...payload }
      const token = issuer.token(claims, { typ: 'dc+sd-jwt' })
      const presented = [token, ...disclosures, ''].join('~')
      const statement = { ...STATEMENT, sd_hash: digestOf(presented), ...binding }
      return presented + ada.token(statement, { typ: 'kb+jwt', ...bindingHeader })
    },
    /** A JWK of somebody else. */
    otherKey: createCredentialHolder('P-256').jwk,
    now: SECONDS,
  }
}
