import { expect } from 'chai'
import { MINUTE_MS } from '../approvals/openOwnerScene.ts'
import { openExportScene } from './openExportScene.ts'

const DAY_MS = 24 * 60 * MINUTE_MS

describe('the export of a person’s data', () => {
  let scene: Awaited<ReturnType<typeof openExportScene>>
  before(async () => {
    scene = await openExportScene()
  })
  after(() => scene.service.stop())

  describe('POST /api/me/export', () => {
    it('prepares a file, and reports it by mail and in the account', async () => {
      const owner = await scene.owner({ withPasskey: false })
      expect((await owner.call('GET', '/api/me')).body.dataExport).to.equal(null)
      const requestedAt = new Date(scene.time.now).toISOString()
      const asked = await owner.call('POST', '/api/me/export')
      expect(asked.status).to.equal(202)
      expect(asked.body.dataExport).to.include({ status: 'preparing', requestedAt, expiresAt: null })
      const ready = await scene.prepare(owner)
      expect(ready.sizeBytes).to.be.greaterThan(0)
      expect(ready.expiresAt).to.equal(new Date(scene.time.now + 7 * DAY_MS).toISOString())
      const mails = await scene.store(
        `SELECT template FROM mail_outbox WHERE recipient = ? AND template = 'export_ready'`,
        owner.email,
      )
      expect(mails).to.have.length(1)
    })

    it('is accepted once a day', async () => {
      const owner = await scene.owner({ withPasskey: false })
      await scene.prepare(owner)
      const again = await owner.call('POST', '/api/me/export')
      expect([again.status, again.body.code]).to.deep.equal([429, 'RATE_LIMITED'])
      expect(again.headers.get('retry-after')).to.equal(String(DAY_MS / 1000))
      scene.time.now += DAY_MS
      expect((await owner.call('POST', '/api/me/export')).status).to.equal(202)
    })

    it('changes nothing while the file is being prepared, and begins again after a failure', async () => {
      const owner = await scene.owner({ withPasskey: false })
      await setState(owner.userId, { status: 'preparing' })
      const again = await owner.call('POST', '/api/me/export')
      expect([again.status, again.body.dataExport.requestedAt]).to.deep.equal([
        202,
        new Date(1).toISOString(),
      ])
      await scene.store(`UPDATE data_exports SET status = 'failed' WHERE user_id = ?`, owner.userId)
      const asked = await owner.call('POST', '/api/me/export')
      expect(asked.body.dataExport.requestedAt).to.equal(new Date(scene.time.now).toISOString())
    })
  })

  describe('GET /api/me/export', () => {
    it('returns the whole file with its length', async () => {
      const owner = await scene.owner({ withPasskey: false })
      const { sizeBytes } = await scene.prepare(owner)
      const { headers, bytes } = await owner.download('/api/me/export')
      expect(headers.get('content-type')).to.equal('application/zip')
      expect(headers.get('content-disposition')).to.contain('my-data.zip')
      expect([Number(headers.get('content-length')), bytes.length]).to.deep.equal([sizeBytes, sizeBytes])
    })

    it('needs a fresh assertion of an account that has a passkey', async () => {
      const owner = await scene.owner()
      await scene.prepare(owner)
      const plain = await owner.call('GET', '/api/me/export')
      expect([plain.status, plain.body.code]).to.deep.equal([403, 'ELEVATION_REQUIRED'])
      const { files } = await scene.open(owner, { 'x-svc-elevation': await owner.elevation() })
      expect(files['passkeys.json']).to.have.length(1)
    })

    it('needs a recent sign-in of an account without a passkey', async () => {
      const owner = await scene.owner({ withPasskey: false })
      await scene.prepare(owner)
      scene.time.now += 5 * MINUTE_MS + 1
      const late = await owner.call('GET', '/api/me/export')
      expect([late.status, late.body.code]).to.deep.equal([403, 'ELEVATION_REQUIRED'])
    })

    it('says why there is no file', async () => {
      const owner = await scene.owner({ withPasskey: false })
      const read = async () => {
        const { status, body } = await owner.call('GET', '/api/me/export')
        return [status, body.code]
      }
      expect(await read()).to.deep.equal([404, 'NOT_FOUND'])
      await setState(owner.userId, { status: 'preparing' })
      expect(await read()).to.deep.equal([409, 'INVALID_STATE'])
      await scene.store(`UPDATE data_exports SET status = 'failed' WHERE user_id = ?`, owner.userId)
      expect(await read()).to.deep.equal([409, 'INVALID_STATE'])
      await scene.store(
        `UPDATE data_exports SET status = 'ready', size_bytes = 1, expires_at = ? WHERE user_id = ?`,
        scene.time.now + 1,
        owner.userId,
      )
      expect((await owner.call('GET', '/api/me')).body.dataExport.status).to.equal('ready')
      scene.time.now += 1
      expect(await read()).to.deep.equal([410, 'GONE'])
      expect((await owner.call('GET', '/api/me')).body.dataExport).to.equal(null)
    })
  })

  /** Stores an export that a process holds for a long time. */
  const setState = (userId: string, { status }: { status: string }) =>
    scene.store(
      'INSERT INTO data_exports (user_id, id, status, requested_at, claimed_until) VALUES (?, ?, ?, 1, ?)',
      ...[userId, `export of ${userId}`, status, scene.time.now + DAY_MS],
    )
})
