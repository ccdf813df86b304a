import type { SignedFacts } from '../../../harness/peers/createBotSigner.ts'

const HOUR_MS = 3_600_000

type InvalidSignature = [
  what: string,
  reason: string,
  change: (facts: SignedFacts) => SignedFacts,
  options?: object,
]

/**
 * What may be wrong with a signed request, the reason it is refused with, and what makes it so: a change of the
 * request, or of where and when it is verified. `now` is the time in milliseconds at which the good one is verified.
 */
export const invalidSignatures = (now: number): InvalidSignature[] => [
  ['another site', 'forged', (facts) => facts, { authority: 'other.acme.io' }],
  ['another port', 'forged', (facts) => facts, { authority: 'shop.acme.io:8443' }],
  ['an expired signature', 'untimely', (facts) => facts, { now: now + HOUR_MS }],
  ['one made in the future', 'untimely', (facts) => facts, { now: now - HOUR_MS }],
  [
    'a changed signature',
    'forged',
    (facts) => ({ ...facts, signature: `sig1=:${Buffer.alloc(64).toString('base64')}:` }),
  ],
  ['a signature that is too short', 'forged', (facts) => ({ ...facts, signature: 'sig1=:AAAA:' })],
  [
    'a changed parameter',
    'forged',
    (facts) => ({ ...facts, signatureInput: facts.signatureInput.replace(/nonce="./, 'nonce="_') }),
  ],
  [
    'an algorithm that is not the key’s',
    'forged',
    (facts) => ({ ...facts, signatureInput: facts.signatureInput.replace('"ed25519"', '"hmac-sha256"') }),
  ],
  [
    'a key id that is none',
    'malformed',
    (facts) => ({ ...facts, signatureInput: facts.signatureInput.replace(/keyid="[^"]*"/, 'keyid=7') }),
  ],
  ['headers that are none', 'malformed', (facts) => ({ ...facts, signatureInput: 'sig1=(' })],
  ['a signature left out', 'malformed', (facts) => ({ ...facts, signature: '' })],
  [
    'a component named twice',
    'malformed',
    (facts) => ({
      ...facts,
      signatureInput: facts.signatureInput.replace('("@authority"', '("@authority" "@authority"'),
    }),
  ],
]
