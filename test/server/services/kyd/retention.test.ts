import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { createOrganisation } from '../../../builders/participants.ts'
import { postKyd } from '../../../builders/postKyd.ts'
import { OPERATOR_SETTINGS, signInOperator } from '../../../builders/signInOperator.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { type StartedService, startService } from '../../../harness/service/startService.ts'

const DAY_MS = 24 * 60 * 60 * 1000

describe('KYD_RETENTION_DAYS', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-test-'))
  let now = Date.now()
  let service: StartedService | undefined

  afterEach(() => service?.stop())
  after(() => rmSync(dataDir, { recursive: true, force: true }))

  const start = async (days: string) => {
    const settings = { ...OPERATOR_SETTINGS, KYD_RETENTION_DAYS: days }
    service = await startService({ dataDir, settings, clock: () => now })
    return service
  }
  const kept = async ({ rows }: StartedService) => ({
    documents: (await rows('SELECT kind FROM kyd_documents')).length,
    zones: (await rows('SELECT id FROM kyd_cases WHERE mrz_sealed IS NOT NULL')).length,
  })

  it('keeps documents after the decision, and those of pending cases', async () => {
    const started = await start('30')
    const reviewer = await signInOperator(started.baseUrl)
    for (let person = 0; person < 2; person += 1) {
      await postKyd(started.baseUrl, (await createOrganisation(started.baseUrl)).accessToken)
    }
    const { items } = (await reviewer.call('GET', '')).body
    await reviewer.decide(items[0].id)
    expect(await kept(started)).to.deep.equal({ documents: 4, zones: 2 })
    const { mrz, documentsDeletedAt } = (await reviewer.call('GET', `/${items[0].id}`)).body.case
    expect([mrz.surname, documentsDeletedAt]).to.deep.equal(['ERIKSSON', null])
  })

  it('deletes them after the retention, but never those of pending cases', async () => {
    now += 30 * DAY_MS - 60_000
    const early = await start('30')
    expect(await kept(early)).to.deep.equal({ documents: 4, zones: 2 })
    await early.stop()
    now += 60_000
    const started = await start('30')
    await waitUntil(async () => ((await kept(started)).documents === 2 ? true : null))
    expect(await kept(started)).to.deep.equal({ documents: 2, zones: 1 })
    const [decided] = await started.rows<{ at: number | string }>(
      `SELECT documents_deleted_at AS at FROM kyd_cases WHERE status = 'approved'`,
    )
    expect(Number(decided?.at)).to.equal(now)
  })
})
