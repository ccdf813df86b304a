import { expect } from 'chai'
import { createNonceStore } from '../../../../server/store/recorder/nonceStore.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../harness/database/openTemporaryDatabase.ts'

const NOW = Date.UTC(2026, 0, 5)
/** Every second key has the same nonce, so that only both together identify a row. */
const EXPIRED = Array.from({ length: 2_500 }, (_, nth) => ({
  address: `0x${nth % 2}`,
  nonce: `n${nth >> 1}`,
  expires_at: NOW - 1,
}))

describe('the expired rows that a request deletes', () => {
  let opened: TemporaryDatabase
  before(async () => {
    opened = await openTemporaryDatabase()
    for (let at = 0; at < EXPIRED.length; at += 250) {
      await opened.db.query('request_nonces').insert(EXPIRED.slice(at, at + 250))
    }
  })
  after(() => opened?.remove())

  it('are limited in number, until only valid rows remain', async () => {
    const left: number[] = []
    for (let nth = 1; nth <= 4; nth += 1) {
      const fresh = { address: '0x1', nonce: `fresh${nth}`, expiresAt: NOW + 1 }
      expect(await createNonceStore().take(opened.db.query, fresh, NOW)).to.equal(true)
      left.push((await opened.db.query('request_nonces').select('nonce')).length)
    }
    expect(left).to.deep.equal([1_501, 502, 3, 4])
    const again = { address: '0x1', nonce: 'fresh1', expiresAt: NOW + 1 }
    expect(await createNonceStore().take(opened.db.query, again, NOW)).to.equal(false)
  })
})
