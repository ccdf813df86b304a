import { createPrivateKey } from 'node:crypto'
import { writeHandoverText } from '@svc/core/audit/handover.ts'
import { createPerKey, type KeyRing } from './keyRing.ts'
import { createNoteSigner, type NoteSigner } from './noteSigner.ts'

/**
 * Signs checkpoints with the current key of a log, and during an overlap also with the former one, so that whoever has
 * pinned that key has time to follow the hand-over.
 *
 * @param clock Epoch milliseconds.
 */
export function createLogSigner(keys: KeyRing, clock: () => number): NoteSigner {
  const signerOf = createPerKey((jwk) =>
    createNoteSigner(createPrivateKey({ key: { kty: 'OKP', ...jwk }, format: 'jwk' })),
  )
  const current = () => signerOf(keys.signing(clock()))
  return {
    sign(name, text) {
      const now = clock()
      const signing = keys.published(now).filter(({ signsFrom }) => signsFrom <= now)
      const [newest = keys.signing(now), ...former] = signing.toReversed()
      return signerOf(newest).sign(name, text) + former.map((key) => signerOf(key).line(name, text)).join('')
    },
    line: (name, text) => current().line(name, text),
    verifierKey: (name) => current().verifierKey(name),
    publicKeyPem: () => current().publicKeyPem(),
    handovers: (name) =>
      keys.all().flatMap((key, i, all) => {
        const next = all[i + 1]
        if (next === undefined) return []
        const signsFrom = new Date(next.signsFrom).toISOString()
        const verifierKey = signerOf(next).verifierKey(name)
        return [signerOf(key).sign(name, writeHandoverText({ origin: name, verifierKey, signsFrom }))]
      }),
  }
}
