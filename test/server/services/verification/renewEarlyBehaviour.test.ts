import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect } from 'chai'
import { renewEarlyBehaviour } from '../../../../server/services/verification/renewEarlyBehaviour.ts'
import { createOrganisation, registerAgent, registerEndpoint } from '../../../builders/participants.ts'
import { createTemporaryFolder } from '../../../harness/runner/createTemporaryFolder.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { api } from '../../../harness/service/api.ts'
import { type StartedService, startService } from '../../../harness/service/startService.ts'

describe('behaviour read before the feed has caught up', () => {
  describe('is read again', () => {
    /** The results for the feed’s positions, each with the size of the log at that time. */
    async function renewals(looks: readonly { nextSeq: number; logSize: number }[]): Promise<boolean[]> {
      let size = 0
      let aged = 0
      const renew = renewEarlyBehaviour({
        logSize: async () => size,
        onBehaviourAged: () => {
          aged += 1
        },
      })
      const after: number[] = []
      for (const { nextSeq, logSize } of looks) {
        size = logSize
        await renew(nextSeq)
        after.push(aged)
      }
      return after.map((times, nth) => times > (after[nth - 1] ?? 0))
    }

    it('once the feed has caught up, and only once', async () => {
      const looks = [
        { nextSeq: 10, logSize: 30 },
        { nextSeq: 20, logSize: 30 },
        { nextSeq: 30, logSize: 30 },
        { nextSeq: 31, logSize: 31 },
      ]
      expect(await renewals(looks)).to.deep.equal([false, false, true, false])
    })

    it('also while the log grows faster than it can be processed', async () => {
      const looks = [
        { nextSeq: 10, logSize: 30 },
        { nextSeq: 25, logSize: 40 },
        { nextSeq: 40, logSize: 45 },
      ]
      expect(await renewals(looks)).to.deep.equal([false, false, true])
    })
  })

  describe('in a starting service', () => {
    const folder = createTemporaryFolder()
    const violations = 60
    let service: StartedService
    before(async () => {
      service = await startService({ dataDir: folder.path, database: 'sqlite' })
    })
    after(async () => {
      await service?.stop()
      folder.remove()
    })

    it('is used no longer than until then', async () => {
      const { apiKey: bearer } = await createOrganisation(service.baseUrl)
      const counterpartyId = await registerEndpoint(service.baseUrl, bearer)
      const { svcId: agentId } = await registerAgent(service.baseUrl)
      const score = async (): Promise<number> => {
        const body = { agentId, counterpartyId }
        return (await api(service.baseUrl, 'POST', '/api/agents/verify-access', { bearer, body })).body.agent
          .trustScore
      }
      const clean = await score()
      await service.stop()
      addViolations(join(folder.path, 'svc.sqlite'), agentId, violations)
      const feed = new Sqlite(join(folder.path, 'feed.sqlite'))
      feed.exec(`CREATE TRIGGER held BEFORE INSERT ON agent_behaviour BEGIN SELECT RAISE(ABORT, 'held'); END`)
      service = await startService({ dataDir: folder.path, database: 'sqlite' })
      expect(await score()).to.be.within(clean - 5, clean + 5)
      feed.exec('DROP TRIGGER held')
      feed.close()
      await waitUntil(async () => ((await score()) < clean - 15 ? true : null))
    })
  })
})

/** Violations at many counterparties, left by a process that had no time to update its feed. */
function addViolations(file: string, agentId: string, count: number): void {
  const log = new Sqlite(file)
  const insert =
    log.prepare(`INSERT INTO audit_records (seq, record_id, recorded_at, event_type, counterparty_owner_id,
      agent_id, event_data, inputs, inputs_salt, entry)
    SELECT max(seq) + 1, 'violation' || max(seq), ?, 'verification.denied', ?, ?, '{"countsAgainstAgent":true}', '', '', 'entry'
    FROM audit_records`)
  for (let n = 0; n < count; n += 1) insert.run(Date.now(), `SVCO-${n % 30}`, agentId)
  log.close()
}
