import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createTurns } from '../server/services/activity/createTurns.ts'
import { type ActivityQuery, listActivity } from '../server/services/activity/listActivity.ts'
import { createAuditRecord } from '../server/services/audit/createAuditRecord.ts'
import { projectChunk } from '../server/services/projection/projectChunk.ts'
import { searchNamed } from '../server/services/searchNamed.ts'
import { type AgentRow, createAgentStore } from '../server/store/agents/agentStore.ts'
import { createAuditRecordStore } from '../server/store/audit/auditRecordStore.ts'
import { openDatabase } from '../server/store/database/openDatabase.ts'
import { createEndpointStore } from '../server/store/endpoints/endpointStore.ts'
import { createActivityStore } from '../server/store/feed/activityStore.ts'
import { openPostgresProjection } from '../server/store/feed/projection.postgres.ts'
import { createSqliteProjectionStore } from '../server/store/feed/projectionStore.sqlite.ts'
import { median } from './load/median.ts'

const USAGE = `usage: node bench/activity.ts [--events 100000] [--agents 100000] [--url postgres://…]
  Fills an empty database, a temporary SQLite file by default, and measures the first page of the activity for each filter,
  and what the dashboard's search asks for.`

const OWNER = 'SVCO-bench'
const START = Date.UTC(2026, 0, 1)
const STEP_MS = 60_000
const AT_ONCE = 5_000
const ROUNDS = 5
const PAGE = 25
/** As many events as the search of the dashboard asks for. */
const FOUND = 4
/** One event in as many is what the filters search for, so that most pages have to pass all the others. */
const RARE = 20_000

type Files = { databaseFile: string; feedFile: string; databaseUrl?: string | undefined }

/** Builds an anonymous request at one endpoint; every `RARE`th differs in everything that a filter asks for. */
function buildRecord(nth: number) {
  const isRare = nth % RARE === 0
  const eventData = {
    ...{ recommendation: isRare ? 'step_up_required' : 'grant', purpose: 'shopping:buy' },
    ...{ agentName: isRare ? 'Needle worker' : `Agent ${nth % 500}`, endpointName: `Shop ${nth % 100}` },
    counterpartyUrl: isRare ? 'https://needle.example/' : `https://shop${nth % 100}.example/`,
    ...{ resource: isRare ? '/orders/needle' : `/orders/${nth}`, sessionId: `session-${nth}` },
    ...{ transactionValue: isRare ? 5_000 : nth % 100, currency: isRare ? 'EUR' : 'USD' },
    caller: { sourceIp: isRare ? '192.0.2.7' : `198.51.100.${nth % 250}`, userAgent: 'bench/1' },
  }
  const event = {
    eventType: isRare ? 'verification.step_up_required' : 'verification.completed',
    ...{ ownerId: null, counterpartyOwnerId: OWNER, eventData },
    agentId: isRare ? 'SVC-rare' : `SVC-${nth % 500}`,
    endpointId: isRare ? 'endpoint-rare' : `endpoint-${nth % 100}`,
  }
  const salt = (length: number) => Buffer.alloc(length, nth % 251)
  return { ...createAuditRecord(event, START + nth * STEP_MS, salt), recordId: `record-${nth}` }
}

/** Appends the records as use cases do, and projects them as the service does. */
async function fill(
  files: Files,
  db: Awaited<ReturnType<typeof openDatabase>>,
  events: number,
): Promise<void> {
  const records = createAuditRecordStore(db.query)
  for (let from = 0; from < events; from += AT_ONCE) {
    await db.transaction(async (trx) => {
      const end = Math.min(events, from + AT_ONCE)
      for (let nth = from; nth < end; nth += 1) await records.append(trx, buildRecord(nth))
    })
  }
  const startedAt = performance.now()
  if (files.databaseUrl === undefined) {
    const store = createSqliteProjectionStore(files)
    while (projectChunk(store) < events);
    store.close()
  } else {
    const projection = await openPostgresProjection(files.databaseUrl)
    while (((await projection.run(projectChunk)) ?? 0) < events);
    await projection.close()
  }
  const perSecond = Math.round((events / (performance.now() - startedAt)) * 1000)
  console.log(`projected ${perSecond.toLocaleString('en')} events per second`)
}

/** The filters that are measured; all but the first few find what is rare. */
const FILTERS: Readonly<Record<string, Partial<ActivityQuery>>> = {
  'no filter': {},
  'oldest first': { order: 'asc' },
  outcome: { outcome: 'held' },
  agent: { agentId: 'SVC-rare' },
  endpoint: { endpointId: 'endpoint-rare' },
  event: { perPurchase: false, eventType: 'verification.step_up_required' },
  'IP address': { sourceIp: '192.0.2.7' },
  currency: { currency: 'EUR' },
  amount: { currency: 'USD', amountMin: 4_000 },
  time: { since: START, until: START + 100 * STEP_MS },
  text: { text: 'needle' },
  'text that nothing has': { text: 'no such text' },
  'agent, outcome, amount and text': {
    ...{ agentId: 'SVC-1', outcome: 'granted', currency: 'USD', amountMin: 1, text: 'nothing' },
  },
}

/** What is typed into the search of the dashboard, which asks for the events that have it in their text. */
const SEARCHES: Readonly<Record<string, string>> = {
  'identifier of an agent': 'svc-rare',
  'name of a rare agent': 'needle worker',
  'name of a frequent agent': 'agent 17',
  host: 'needle.example',
  prefix: 'need',
  'nothing found': 'no such text',
}

/** Adds agents of one owner, with an index in their name. */
async function addAgents(db: Awaited<ReturnType<typeof openDatabase>>, agents: number): Promise<void> {
  const store = createAgentStore(db.query)
  for (let from = 0; from < agents; from += AT_ONCE) {
    await db.transaction(async (trx) => {
      const end = Math.min(agents, from + AT_ONCE)
      for (let nth = from; nth < end; nth += 1) await store.insert(trx, buildAgent(nth))
    })
  }
}

function buildAgent(nth: number): AgentRow {
  const digits = String(nth).padStart(12, '0')
  return {
    ...{ id: `01a1fd3a-3c9a-7d4a-9804-${digits}`, svcId: `SVC-bench-${digits}`, ownerId: OWNER },
    ...{ status: 'active', name: `Agent ${nth}`, description: null, agentType: null, apiEndpoint: null },
    ...{ image: null, model: null, framework: null, protocols: [], declarations: {}, pdlss: {} },
    ...{ pdlssSalt: '00'.repeat(16), pdlssHash: `0x${'00'.repeat(32)}`, approvalRules: [] },
    ...{ minIdentityProof: null, requiredFacts: [], certifications: [], signerAddress: null },
    ...{ blockchainStatus: 'pending', chainAgentId: null, chainRegistry: null, chainTransaction: null },
    ...{ chainBlock: null, registrationFileHash: null, challengePassedAt: null, foreignToken: null },
    ...{ foreignFeedback: null, parentAgentId: null, isHeld: false, isListed: true },
    ...{ createdAt: START + nth, updatedAt: START + nth },
  }
}

/** Part of a name, by what the search finds; a request looks through the newest 20,000 names at most. */
const NAMES: Readonly<Record<string, string>> = {
  'agents by part of their name': 'agent',
  'one of the agents by its name': 'agent 99999',
  'agent that does not exist': 'no such agent',
}

/** Prints how long an action takes, and how many rows it finds. */
async function measure(name: string, find: () => Promise<number>): Promise<void> {
  const times: number[] = []
  const cpuTimes: number[] = []
  let found = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now()
    const cpu = process.cpuUsage()
    found = await find()
    times.push(performance.now() - startedAt)
    const { user, system } = process.cpuUsage(cpu)
    cpuTimes.push((user + system) / 1000)
  }
  console.log(
    `${name.padEnd(34)} ${median(times).toFixed(1).padStart(7)} ms ${median(cpuTimes).toFixed(1).padStart(7)} ms of processor  ${found} rows`,
  )
}

/** Measures the first page for each filter, in milliseconds, as the service lists it. */
async function runBench(): Promise<void> {
  const { values } = parseArgs({
    options: {
      events: { type: 'string', default: '100000' },
      agents: { type: 'string', default: '100000' },
      url: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) return console.log(USAGE)
  const folder = mkdtempSync(join('bench', 'activity-'))
  const files = {
    ...{ databaseFile: join(folder, 'svc.sqlite'), feedFile: join(folder, 'feed.sqlite') },
    databaseUrl: values.url,
  }
  const db = await openDatabase(files)
  try {
    await fill(files, db, Number(values.events))
    const deps = {
      activity: createActivityStore(db.query),
      endpoints: createEndpointStore(db.query),
      catchUp: async () => undefined,
      turn: createTurns(),
    }
    const list = async (query: Partial<ActivityQuery>) => {
      const page = { order: 'desc', cursor: null, actsFor: new Set([OWNER]) } as const
      return (await listActivity(deps, { ...page, limit: PAGE, perPurchase: true, ...query })).items.length
    }
    for (const [name, filter] of Object.entries(FILTERS)) await measure(name, () => list(filter))
    console.log('\nsearch of the dashboard')
    for (const [name, text] of Object.entries(SEARCHES)) {
      await measure(name, () => list({ text, limit: FOUND, perPurchase: false }))
    }
    const agents = createAgentStore(db.query)
    const findAgents = async (search: string) => {
      const page = { limit: FOUND, before: null }
      const read = (part: { limit: number; before: number | null }) => agents.namesByOwners([OWNER], part)
      const { found } = await searchNamed({ search, page }, read, ({ name, svcId, id }) => [name, svcId, id])
      const svcIds = found.map(({ svcId }) => svcId)
      return (await agents.listByOwners([OWNER], page, svcIds)).items.length
    }
    await addAgents(db, Number(values.agents))
    for (const [name, search] of Object.entries(NAMES)) await measure(name, () => findAgents(search))
    const records = createAuditRecordStore(db.query)
    await measure('identifier of a record', async () => ((await records.byRecordId('record-7')) ? 1 : 0))
  } finally {
    await db.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

await runBench()
