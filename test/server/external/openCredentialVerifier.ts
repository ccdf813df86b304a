import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CredentialType } from '@svc/core/credentials/deriveCredentialLookupKey.ts'
import { createCredentialVerifier } from '../../../server/external/credentialVerifier.ts'
import { makeCertificate } from '../../harness/peers/makeCertificate.ts'
import { createTemporaryFolder } from '../../harness/runner/createTemporaryFolder.ts'

/** The time of every credential that is offered, in milliseconds. */
export const NOW = Date.UTC(2026, 10, 21)

/** The same time in seconds, as tokens have it. */
export const SECONDS = NOW / 1000

/** The place that a credential is offered at, which its proof names. */
export const AUDIENCE = 'https://registry.io/api/agents/SVC-1/credentials'

/** The challenge that a proof answers. */
export const NONCE = 'challenge-1'

/** What the proof of a credential says when nothing is wrong with it. */
export const STATEMENT = { aud: AUDIENCE, nonce: NONCE, iat: SECONDS }

/** New keys of a certificate. */
export const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** The verifier of third-party credentials with a root of its own, and a web that holds the documents put there. */
export function openCredentialVerifier() {
  const folder = createTemporaryFolder()
  const root = makeCertificate({ name: 'Root', keys: newKeys(), isAuthority: true })
  const documents = new Map<string, object>()
  const rootsFile = join(folder.path, 'roots.pem')
  writeFileSync(rootsFile, root.pem)
  const getText = async (url: string) => {
    const document = documents.get(url)
    if (document === undefined) throw new Error('not there')
    return { status: 200, headers: {}, body: JSON.stringify(document) }
  }
  const verify = createCredentialVerifier({ getText, rootsFile })
  const offer = (type: CredentialType, value: string, proof?: string) =>
    verify({ type, value, proof, audience: AUDIENCE, nonce: NONCE, now: NOW })

  return {
    root,
    documents,
    offer,
    /** `ok`, or the code that the credential is refused with. */
    async outcome(type: CredentialType, value: string, proof?: string) {
      const verified = await offer(type, value, proof)
      return verified.ok ? 'ok' : verified.field.code
    },
    close: () => folder.remove(),
  }
}
