import { createPrivateKey, createPublicKey, type JsonWebKeyInput } from 'node:crypto'
import { PUBLISHED_PRIVATE_KEYS } from '@svc/core/signing/publishedPrivateKeys.ts'
import { expect } from 'chai'
import { calculateJwkThumbprint, type JWK } from 'jose'
import {
  INTENT_VECTORS,
  REQUEST_VECTORS,
  readIntentVector,
  readRequestVector,
} from '../../builders/proofVectors.ts'

/** Private keys as the standards print them. */
const PRINTED = {
  'RFC 9421 B.1.4': {
    kty: 'OKP',
    crv: 'Ed25519',
    d: 'n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU',
    x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs',
  },
  'RFC 8037 A.1': {
    kty: 'OKP',
    crv: 'Ed25519',
    d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
    x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  },
  'RFC 7515 A.3': {
    kty: 'EC',
    crv: 'P-256',
    d: 'jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI',
    x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
    y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
  },
  'RFC 7517 A.2': {
    kty: 'EC',
    crv: 'P-256',
    d: '870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE',
    x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
    y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
  },
}

/** The keys of our own examples. */
const OWN = [...REQUEST_VECTORS.map(readRequestVector), ...INTENT_VECTORS.map(readIntentVector)].flatMap(
  ({ key }) => (key === undefined ? [] : [key]),
)

describe('PUBLISHED_PRIVATE_KEYS', () => {
  it('contains every key of the published examples of proofs', async () => {
    for (const key of OWN)
      expect(PUBLISHED_PRIVATE_KEYS.has(await calculateJwkThumbprint(key)), key.kid).to.equal(true)
    expect(new Set(OWN.map(({ kid }) => kid)).size).to.equal(2)
  })

  for (const [source, printed] of Object.entries(PRINTED)) {
    it(`contains the key whose private half ${source} prints`, async () => {
      // Without the public members, so that they are those of the private half.
      const key = createPrivateKey({ key: printed, format: 'jwk' } as JsonWebKeyInput)
      const pkcs8 = key.export({ format: 'pem', type: 'pkcs8' })
      const publicJwk = createPublicKey(pkcs8).export({ format: 'jwk' }) as JWK
      expect(PUBLISHED_PRIVATE_KEYS.has(await calculateJwkThumbprint(publicJwk))).to.equal(true)
    })
  }
})
