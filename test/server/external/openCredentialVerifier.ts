import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StorableCredentialType } from '@svc/core/credentials/deriveCredentialLookupKey.ts'
import { createCredentialVerifier } from '../../../server/external/credentialVerifier.ts'
import { makeCertificate } from '../../harness/peers/makeCertificate.ts'
import { createTemporaryFolder } from '../../harness/runner/createTemporaryFolder.ts'

/** The time of verification, in epoch milliseconds. */
export const NOW = Date.UTC(2026, 10, 21)

/** The time of verification, in Unix seconds. */
export const SECONDS = NOW / 1000

/** The URL to which credentials are offered, named by their proofs. */
export const AUDIENCE = 'https://registry.io/api/agents/SVC-1/credentials'

/** The challenge of every proof. */
export const NONCE = 'challenge-1'

/** The payload of a valid proof. */
export const STATEMENT = { aud: AUDIENCE, nonce: NONCE, iat: SECONDS }

/** Generates the keys of a certificate. */
export const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** Creates a credential verifier with its own root certificate and with `documents` in place of the web. */
export function openCredentialVerifier() {
  const folder = createTemporaryFolder()
  const root = makeCertificate({ name: 'Root', keys: newKeys(), isAuthority: true })
  const documents = new Map<string, object>()
  const rootsFile = join(folder.path, 'roots.pem')
  writeFileSync(rootsFile, root.pem)
  const getText = async (url: string) => {
    const document = documents.get(url)
    if (document === undefined) throw new Error('not found')
    return { status: 200, headers: {}, body: JSON.stringify(document) }
  }
  const verify = createCredentialVerifier({ getText, rootsFile })
  const offer = (type: StorableCredentialType, value: string, proof?: string) =>
    verify({
      ...{ type, value, proof, audience: AUDIENCE, nonce: NONCE, now: NOW },
      waitForHost: (work) => work(),
    })

  return {
    root,
    documents,
    offer,
    /** Returns `ok` or the code of the fault. */
    async outcome(type: StorableCredentialType, value: string, proof?: string) {
      const verified = await offer(type, value, proof)
      return verified.ok ? 'ok' : verified.field.code
    },
    close: () => folder.remove(),
  }
}
