import { computeKeyThumbprint } from '@svc/core/signing/computeKeyThumbprint.ts'
import { expect } from 'chai'
import { calculateJwkThumbprint } from 'jose'
import { createAgentKey } from '../../builders/createAgentKey.ts'

describe('computeKeyThumbprint', () => {
  it('reproduces the thumbprint of RFC 8037 A.3', () => {
    const x = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'
    const thumbprint = computeKeyThumbprint({ kty: 'OKP', crv: 'Ed25519', x })
    expect(thumbprint).to.equal('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k')
  })

  for (const crv of ['Ed25519', 'P-256'] as const) {
    it(`agrees with another implementation about keys of ${crv}, whatever the order of their members`, async () => {
      for (let nth = 0; nth < 20; nth += 1) {
        const { jwk, kid } = createAgentKey(crv)
        expect(kid)
          .to.equal(await calculateJwkThumbprint(jwk))
          .and.match(/^[\w-]{43}$/)
        const reversed = Object.fromEntries(Object.entries(jwk).reverse()) as typeof jwk
        expect(computeKeyThumbprint({ ...reversed, ...{ kid: 'mine', use: 'sig' } })).to.equal(kid)
      }
    })
  }
})
