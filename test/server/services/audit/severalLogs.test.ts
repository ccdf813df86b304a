import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chooseLog } from '@svc/core/audit/chooseLog.ts'
import { checkProofDocument, type ProofDocument } from '@svc/core/audit/proofDocument.ts'
import { verifyConsistency } from '@svc/core/audit/verifyProof.ts'
import { decodeHex } from '@svc/core/bytes.ts'
import { expect } from 'chai'
import { openAuditChain } from '../../../../cli/audit/openAuditChain.ts'
import { runAuditCommand } from '../../../../cli/audit/runAuditCommand.ts'
import { runMonitorCommand } from '../../../../cli/monitor/runMonitorCommand.ts'
import { archiveToFile } from '../../../../scripts/archive/archiveToFile.ts'
import { readConfig } from '../../../../server/config.ts'
import { checkStoredLog } from '../../../../server/services/audit/checkStoredLog.ts'
import { batchKeyOf } from '../../../../server/store/audit/batchStore.ts'
import { createStoredLogStore } from '../../../../server/store/audit/storedLogStore.ts'
import { openUnmigrated } from '../../../../server/store/database/openUnmigrated.ts'
import { openSeveralLogs, type Shop } from './openSeveralLogs.ts'

describe('several audit logs', function () {
  this.timeout(120_000)
  let scene: Awaited<ReturnType<typeof openSeveralLogs>>

  before(async () => {
    scene = await openSeveralLogs(1)
    await scene.openShop()
    await scene.decide(scene.shops[0] as Shop, 3)
    await scene.untilAnchored()
    await scene.restart(3)
    // Organisations that are not in the first of three logs, and of the two that there are later.
    const hasOther = (logs: number) =>
      scene.shops.some(({ organizationId }) => chooseLog(organizationId, logs) === 1)
    while (!hasOther(3) || !hasOther(2)) await scene.openShop()
    for (const shop of scene.shops) await scene.decide(shop, 4)
  })
  after(() => scene?.close())

  /** Checks every record's proof, also by the contract, and returns their places. */
  async function checkAll() {
    await scene.untilAnchored()
    const { logIds, contract } = await scene.chain()
    const { rpcUrl: rpc } = scene.service()
    const chains = await Promise.all(logIds.map((logId) => openAuditChain({ rpc, contract, logId })))
    const places = await scene.expectedPlaces()
    for (const { recordId, log, index } of places) {
      const proof = await scene.proofOf(recordId)
      expect([proof.logId, proof.index], recordId).to.deep.equal([logIds[log], index])
      const checked = checkProofDocument(proof)
      expect(checked.ok && checked.entry.recordId).to.equal(recordId)
      const hashes = proof.inclusionProof as `0x${string}`[]
      expect(await chains[log]?.includes(proof.leafHash as `0x${string}`, index, hashes)).to.equal(true)
    }
    return places
  }

  it('give each organisation’s records consecutive places in one log, and prove them on chain', async () => {
    const places = await checkAll()
    expect(places.slice(0, 3).map(({ log, index }) => [log, index])).to.deep.equal([
      [0, 0],
      [0, 1],
      [0, 2],
    ])
    expect(new Set(places.map(({ log }) => log)).size).to.be.above(1)
  })

  it('are exported each by itself, completely and in order', async () => {
    const places = await scene.expectedPlaces()
    for (const shop of scene.shops) {
      const exported: string[] = []
      for (let log = 0; log < 3; log += 1) {
        const { text } = await getText(`/api/audit/export?log=${log}`, shop.apiKey)
        const lines = linesOf(text)
        expect(lines.map(({ index }) => index)).to.deep.equal(
          lines.map(({ index }) => index).toSorted(byValue),
        )
        for (const { recordId, index } of lines)
          expect(places.find((place) => place.recordId === recordId)).to.deep.equal({ recordId, log, index })
        exported.push(...lines.map(({ recordId }) => recordId))
      }
      const own = await scene
        .service()
        .rows<{ record_id: string }>(
          'SELECT record_id FROM audit_records WHERE counterparty_owner_id = ? OR owner_id = ?',
          shop.organizationId,
          shop.organizationId,
        )
      expect(exported.toSorted()).to.deep.equal(own.map(({ record_id }) => record_id).toSorted())
    }
  })

  it('export a part of a log by its own indexes', async () => {
    const [shop] = scene.shops as [Shop]
    const log = chooseLog(shop.organizationId, 3)
    const whole = linesOf((await getText(`/api/audit/export?log=${log}`, shop.apiKey)).text)
    const [first, last] = [whole[1].index, whole[2].index]
    const part = await getText(`/api/audit/export?log=${log}&from=${first}&to=${last}`, shop.apiKey)
    expect(linesOf(part.text)).to.deep.equal(whole.slice(1, 3))
  })

  it('have batches, checkpoints, keys and consistency proofs of their own', async () => {
    const ids = (await scene.chain()).logIds
    for (const [log, logId] of ids.entries()) {
      const { items } = (await scene.get(`/api/audit/batches?log=${log}`)).body
      const key = (await scene.get(`/api/audit/key?log=${log}`)).body
      expect(key.origin.endsWith(`/audit/${logId}`)).to.equal(true)
      if (items.length === 0) {
        expect(await scene.get(`/api/audit/checkpoint?log=${log}`)).to.include({ status: 404 })
        continue
      }
      const [{ number, newSize, root }] = items
      const { batch } = (await scene.get(`/api/audit/batches/${number}?log=${log}`)).body
      const beyond = batchKeyOf(log, number)
      if (log > 0) expect(await scene.get(`/api/audit/batches/${beyond}`)).to.include({ status: 404 })
      expect(batch).to.deep.include({ number, newSize, root })
      const { text } = await getText(`/api/audit/checkpoint?log=${log}`)
      expect(text.split('\n').slice(0, 2)).to.deep.equal([key.origin, String(newSize)])
      const grown = (await scene.get(`/api/audit/consistency?log=${log}&from=1`)).body
      expect(grown).to.deep.include({ logId, toSize: newSize, toRoot: root })
      const isConsistent = verifyConsistency({
        ...{ fromSize: 1, toSize: newSize },
        ...{ fromRoot: decodeHex(grown.fromRoot), toRoot: decodeHex(root) },
        proof: grown.consistencyProof.map(decodeHex),
      })
      expect(isConsistent).to.equal(true)
    }
  })

  for (const path of ['batches', 'batches/1', 'checkpoint', 'key', 'consistency?from=1', 'export']) {
    it(`answer 404 for an unknown log, and 400 for what is no number of a log, at ${path}`, async () => {
      const query = (log: string) => `/api/audit/${path}${path.includes('?') ? '&' : '?'}log=${log}`
      expect(await scene.get(query('3'), scene.shops[0]?.apiKey)).to.include({ status: 404 })
      for (const log of ['x', '-1', '32', ''])
        expect(await scene.get(query(log), scene.shops[0]?.apiKey), log).to.include({ status: 400 })
    })
  }

  it('are followed by the monitor and the auditor’s tool one by one', async () => {
    const ids = (await scene.chain()).logIds
    const { auditLog } = (await scene.get('/api/chain')).body.contracts
    const chain = ['--rpc', scene.service().rpcUrl, '--contract', auditLog]
    const shop = scene.shops.find(({ organizationId }) => chooseLog(organizationId, 3) === 1) as Shop
    const log = ids[chooseLog(shop.organizationId, 3)] ?? ''
    const printed: string[] = []
    const print = (line: string) => void printed.push(line)
    const state = ['--state', join(scene.folder, 'monitor.json'), '--once']
    // The first look is at one log, the second one at all.
    for (const named of [['--log', log], []]) {
      const code = await runMonitorCommand(
        ['--service', scene.service().baseUrl, ...named, ...state, ...chain],
        {
          ...{ out: print, err: print, credentialsFile: join(scene.folder, 'none.json') },
          ...{ read: (file) => readFileSync(file, 'utf8'), now: Date.now, pause: async () => undefined },
          ...{ signal: new AbortController().signal, env: { MONITOR_API_KEY: shop.apiKey }, sendMail: null },
          limit: (ms: number) => AbortSignal.timeout(ms),
        },
      )
      expect([code, printed.filter((line) => !/^The (key|service has)/.test(line))]).to.deep.equal([0, []])
    }
    const { logs } = JSON.parse(readFileSync(join(scene.folder, 'monitor.json'), 'utf8'))
    expect(Object.keys(logs)).to.have.members(ids)
    await scene.decide(shop)
    await scene.untilAnchored()
    const grown = await runAuditCommand(
      [...chain, '--log', log, '--from-batch', '1', '--registry', scene.service().baseUrl],
      { out: print, err: print, isTerminal: false },
      'svc audit verify',
    )
    expect(grown, printed.join('\n')).to.equal(0)
  })

  it('keep all earlier places when there are more or fewer of them, and are anchored again on a new chain', async () => {
    const before = await checkAll()
    await scene.restart(5)
    await scene.openShop()
    for (const shop of scene.shops) await scene.decide(shop, 2)
    expect((await checkAll()).slice(0, before.length)).to.deep.equal(before)
    expect((await scene.chain()).logIds).to.have.length(5)
    await scene.restart(2)
    for (const shop of scene.shops) await scene.decide(shop, 2)
    const after = await checkAll()
    expect((await scene.chain()).logIds).to.have.length(5)
    expect(after.slice(-2 * scene.shops.length).every(({ log }) => log < 2)).to.equal(true)
  })

  it('get the same places when the feed is rebuilt', async () => {
    const before = await Promise.all(
      (await scene.expectedPlaces()).map(({ recordId }) => scene.proofOf(recordId)),
    )
    await scene.stop()
    await scene.loseFeed()
    await scene.start(2)
    await scene.untilAnchored()
    const after = await Promise.all(
      (await scene.expectedPlaces()).map(({ recordId }) => scene.proofOf(recordId)),
    )
    const placed = ({ logId, index, leafHash }: ProofDocument) => [logId, index, leafHash]
    expect(after.map(placed)).to.deep.equal(before.map(placed))
  })

  it('are checked in a backup, each against its batches', async () => {
    const config = readConfig({ ...scene.settings, DATA_DIR: scene.folder })
    const { databaseUrl, databaseFile } = config
    const query = openUnmigrated(databaseUrl === undefined ? { databaseFile } : { databaseUrl })
    try {
      const store = createStoredLogStore(query)
      const records = await scene.size()
      expect(await checkStoredLog(store)).to.deep.include({ ok: true, records, anchoredRecords: records })
      const places = await scene.expectedPlaces()
      const seq = places.findIndex(({ log }) => log > 0)
      const changed = { ...store, entries: withChangedEntry(store, seq) }
      const log = places[seq]?.log
      expect(await checkStoredLog(changed))
        .to.have.property('fault')
        .that.matches(new RegExp(`^batch \\d+ of log ${log} was sealed with root`))
    } finally {
      await query.destroy()
    }
  })

  it('are archived together, as far as all of them are final, and checked one by one', async () => {
    const config = readConfig({ ...scene.settings, DATA_DIR: scene.folder })
    const records = await scene.size()
    const file = join(scene.folder, 'archive.jsonl')
    const archive = await archiveToFile(config, file, { before: Date.now() + 60_000, now: Date.now() })
    expect(archive).to.deep.include({ firstSeq: 0, lastSeq: records - 1 })
    const places = await checkAll()
    const { logIds, contract } = await scene.chain()
    const lines = readFileSync(file, 'utf8').split('\n')
    for (const [log, logId] of logIds.entries()) {
      const own = lines.filter((line) => line.includes(`"logId":"${logId}"`))
      const size = places.filter((place) => place.log === log).length
      expect(own).to.have.length(size)
      if (size === 0) continue
      const part = join(scene.folder, `archive-${log}.jsonl`)
      writeFileSync(part, `${own.join('\n')}\n`)
      const printed: string[] = []
      const print = (line: string) => void printed.push(line)
      const code = await runAuditCommand(
        [
          ...['--rpc', scene.service().rpcUrl, '--contract', contract, '--log', logId],
          ...['--export', part, '--range', `0-${size - 1}`],
        ],
        { out: print, err: print, isTerminal: false },
        'svc audit verify',
      )
      expect(code, printed.join('\n')).to.equal(0)
    }
  })

  it('name the log in the link to the next page of its export', async () => {
    const shop = scene.shops.find(({ organizationId }) => chooseLog(organizationId, 2) === 1) as Shop
    await Promise.all(Array.from({ length: 4 }, () => scene.decide(shop, 126)))
    await scene.untilAnchored()
    const { text, link } = await getText('/api/audit/export?log=1', shop.apiKey)
    const [, next] = /^<(.+)>; rel="next"$/.exec(link ?? '') ?? []
    expect(next).to.match(/^\/api\/audit\/export\?from=\d+&log=1$/)
    const rest = linesOf((await getText(next ?? '', shop.apiKey)).text)
    expect(rest[0].index).to.be.above(linesOf(text).at(-1).index)
  })

  it('are not archived while the feed, which is being rebuilt, lacks records that are final', async () => {
    const config = readConfig({ ...scene.settings, DATA_DIR: scene.folder })
    const archive = (name: string) => {
      const range = { before: Date.now() + 60_000, now: Date.now() }
      return archiveToFile(config, join(scene.folder, name), range)
    }
    const records = await scene.size()
    await scene.stop()
    await scene.changeFeed('DELETE FROM log_places WHERE log = 1 AND place > 5')
    const failure = await archive('behind.jsonl').catch((error: Error) => error.message)
    expect(failure).to.match(/^The feed has 6 of the \d+ final records of log 1: let the service catch up/)
    expect(existsSync(join(scene.folder, 'behind.jsonl'))).to.equal(false)
    await scene.loseFeed()
    await scene.start(2)
    await scene.untilAnchored()
    expect(await archive('caught-up.jsonl')).to.include({ lastSeq: records - 1 })
  })

  const linesOf = (text: string) =>
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  const byValue = (a: number, b: number) => a - b
  async function getText(path: string, bearer?: string) {
    const headers: Record<string, string> = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }
    const response = await fetch(`${scene.service().baseUrl}${path}`, { headers })
    expect(response.status, path).to.equal(200)
    return { text: await response.text(), link: response.headers.get('link') }
  }
  function withChangedEntry(store: ReturnType<typeof createStoredLogStore>, changed: number) {
    return async (from: number, limit: number) =>
      (await store.entries(from, limit)).map((record) =>
        record.seq === changed ? { ...record, entry: `${record.entry} ` } : record,
      )
  }
})
