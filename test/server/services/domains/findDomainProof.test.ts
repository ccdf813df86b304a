import { expect } from 'chai'
import { buildDomainChallenge } from '../../../../server/services/domains/buildDomainChallenge.ts'
import { findDomainProof } from '../../../../server/services/domains/findDomainProof.ts'

describe('the file that proves a host', () => {
  const find = (verifications: object[], svceId?: string) => {
    const target = { url: 'https://shop.io', host: 'shop.io', ...(svceId ? { svceId } : {}) }
    const file = async () => ({ status: 200, headers: {}, body: JSON.stringify({ verifications }) })
    return findDomainProof(
      { readTextRecords: async () => [], getText: file },
      buildDomainChallenge(target, 'mine'),
    )
  }

  it('counts with or without the identifier of the endpoint, before and after its registration', async () => {
    for (const svceId of [undefined, 'SVCE-1']) {
      for (const entry of [{ token: 'mine' }, { token: 'mine', svceId: 'SVCE-1' }]) {
        expect((await find([{ token: 'other' }, entry], svceId)).method).to.equal('well_known')
      }
    }
  })

  it('does not count for another endpoint or with another token', async () => {
    for (const entry of [
      { token: 'mine', svceId: 'SVCE-2' },
      { token: 'other', svceId: 'SVCE-1' },
    ]) {
      const { method, failures } = await find([entry], 'SVCE-1')
      expect([method, failures.at(-1)?.reason]).to.deep.equal([null, 'mismatch'])
    }
  })
})
