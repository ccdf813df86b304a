import type { SignedFacts } from '../../../harness/peers/createBotSigner.ts'

const HOUR_MS = 3_600_000

type InvalidSignature = [
  what: string,
  reason: string,
  change: (facts: SignedFacts) => SignedFacts,
  options?: object,
]

/**
 * Invalid signed requests: what is wrong, the reason of the refusal, and how to derive one from a valid request, by
 * changing the request or the place and time of its verification. `now` is the time of verification of the valid request,
 * in milliseconds.
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
    'an invalid key ID',
    'malformed',
    (facts) => ({ ...facts, signatureInput: facts.signatureInput.replace(/keyid="[^"]*"/, 'keyid=7') }),
  ],
  ['an unparsable header', 'malformed', (facts) => ({ ...facts, signatureInput: 'sig1=(' })],
  ['a missing signature', 'malformed', (facts) => ({ ...facts, signature: '' })],
  [
    'a component named twice',
    'malformed',
    (facts) => ({
      ...facts,
      signatureInput: facts.signatureInput.replace('("@authority"', '("@authority" "@authority"'),
    }),
  ],
]
