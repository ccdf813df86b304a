import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { chooseLog } from '@svc/core/audit/chooseLog.ts'
import type { ProofDocument } from '@svc/core/audit/proofDocument.ts'
import Database from 'better-sqlite3'
import { expect } from 'chai'
import { createOrganisation, type Organisation, registerEndpoint } from '../../../builders/participants.ts'
import { createMigratedDatabase } from '../../../harness/database/postgres.ts'
import { queryPostgres } from '../../../harness/database/queryPostgres.ts'
import { testedDatabase } from '../../../harness/database/testedDatabase.ts'
import { createTemporaryFolder } from '../../../harness/runner/createTemporaryFolder.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { api } from '../../../harness/service/api.ts'
import { type StartedService, startService } from '../../../harness/service/startService.ts'
import { untilSettled } from '../../../harness/service/untilSettled.ts'

export type Shop = Organisation & { endpoint: string }

type StoredRecord = { seq: number; record_id: string; owner: string | null }

/** Starts a service whose number of logs changes with each restart, each on a new chain. */
export async function openSeveralLogs(logs: number) {
  const folder = createTemporaryFolder()
  const database = testedDatabase === 'postgres' ? await createMigratedDatabase() : undefined
  const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64')
  const settings: Record<string, string> = database ? { DATABASE_URL: database.url, SECRETS_KEY } : {}
  /** From which record on there were how many logs. */
  const splits: { from: number; logs: number }[] = []
  const shops: Shop[] = []
  let service: StartedService

  const get = (path: string, bearer?: string) =>
    api(service.baseUrl, 'GET', path, bearer === undefined ? {} : { bearer })
  const size = async () =>
    Number((await service.rows<{ n: number }>('SELECT COUNT(*) AS n FROM audit_records'))[0]?.n)

  /** Starts it, and waits until later records get so many logs. */
  async function start(number: number) {
    service = await startService({
      settings: { ...settings, AUDIT_LOGS: String(number) },
      dataDir: folder.path,
    })
    await waitUntil(async () => {
      const rows = await service.rows<{ logs: number }>(
        'SELECT logs FROM audit_log_counts ORDER BY from_seq DESC',
      )
      return (rows[0]?.logs ?? 1) === number ? true : null
    })
    splits.push({ from: await size(), logs: number })
  }
  await start(logs)

  /** Changes what the projection has written, while the service is stopped. */
  async function changeFeed(sql: string) {
    if (database !== undefined)
      return queryPostgres(database.url, sql.replace('log_places', 'feed.log_places'))
    const feed = new Database(join(folder.path, 'feed.sqlite'))
    feed.exec(sql)
    feed.close()
  }
  /** Empties it, as if it had been lost. */
  async function loseFeed() {
    if (database === undefined) {
      for (const end of ['', '-wal', '-shm']) rmSync(join(folder.path, `feed.sqlite${end}`), { force: true })
      return
    }
    const tables =
      'party_events, record_positions, session_positions, agent_behaviour, agent_spend, decision_counts'
    for (const table of `${tables}, tree_nodes, log_places`.split(', '))
      await queryPostgres(database.url, `DELETE FROM feed.${table}`)
    await queryPostgres(database.url, 'UPDATE feed.projection_state SET next_seq = 0')
  }

  return {
    folder: folder.path,
    database,
    settings,
    shops,
    service: () => service,
    get,
    size,
    start,
    stop: () => service.stop(),
    changeFeed,
    loseFeed,
    async restart(number: number) {
      await service.stop()
      await start(number)
    },
    async openShop() {
      const organisation = await createOrganisation(service.baseUrl)
      const endpoint = await registerEndpoint(service.baseUrl, organisation.apiKey)
      shops.push({ ...organisation, endpoint })
    },
    async decide(shop: Shop, count = 1) {
      for (let nth = 0; nth < count; nth += 1) {
        const { status } = await api(service.baseUrl, 'POST', '/api/agents/verify-access', {
          bearer: shop.apiKey,
          body: { counterpartyId: shop.endpoint, purpose: 'buy' },
        })
        expect(status).to.equal(200)
      }
    },
    /** Waits until every record is final on chain. */
    untilAnchored: () => untilSettled(service.baseUrl),
    /** The ids of the logs by their numbers, and the contract. */
    async chain(): Promise<{ logIds: `0x${string}`[]; contract: `0x${string}` }> {
      const { logIds, contracts } = (await get('/api/chain')).body
      return { logIds, contract: contracts.auditLog }
    },
    async proofOf(recordId: string): Promise<ProofDocument> {
      const { status, body } = await get(`/api/audit/records/${recordId}/proof`)
      expect(status, recordId).to.equal(200)
      return body
    },
    /** Where every record should be: a count of the records before it in its log. */
    async expectedPlaces() {
      const rows = await service.rows<StoredRecord>(
        'SELECT seq, record_id, COALESCE(counterparty_owner_id, owner_id) AS owner FROM audit_records ORDER BY seq',
      )
      const sizes: number[] = []
      return rows.map(({ seq, record_id: recordId, owner }) => {
        const count = splits.findLast(({ from }) => from <= Number(seq))?.logs ?? 1
        const log = chooseLog(owner, count)
        const index = sizes[log] ?? 0
        sizes[log] = index + 1
        return { recordId, log, index }
      })
    },
    async close() {
      await service?.stop()
      await database?.drop()
      folder.remove()
    },
  }
}
