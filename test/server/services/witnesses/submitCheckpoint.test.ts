import { join } from 'node:path'
import { parseCheckpoint } from '@svc/core/audit/checkpoint.ts'
import { expect } from 'chai'
import { readWitnessSettings } from '../../../../server/config/readWitnessSettings.ts'
import { createKeyRing, type PrivateJwk, toRingKey } from '../../../../server/external/keys/keyRing.ts'
import { createLogSigner } from '../../../../server/external/keys/logSigner.ts'
import { createNoteSigner } from '../../../../server/external/keys/noteSigner.ts'
import { readEd25519Key } from '../../../../server/external/keys/readEd25519Key.ts'
import { createAddCheckpoint } from '../../../../server/external/outbound/witnessClient.ts'
import { logOrigin, readCheckpoint } from '../../../../server/services/audit/readCheckpoint.ts'
import { readTlogProof } from '../../../../server/services/audit/readProof.ts'
import { sealBatch } from '../../../../server/services/audit/sealBatch.ts'
import { checkWitnesses, readWitnessStates } from '../../../../server/services/witnesses/checkWitnesses.ts'
import { submitCheckpoint } from '../../../../server/services/witnesses/submitCheckpoint.ts'
import { createWitnessStore } from '../../../../server/store/audit/witnessStore.ts'
import { buildNumberedRecord } from '../../../builders/buildNumberedRecord.ts'
import { createAgentKey } from '../../../builders/createAgentKey.ts'
import {
  type AuditPipeline,
  DEPLOYMENT,
  openAuditPipeline,
} from '../../../harness/database/openAuditPipeline.ts'
import { type StartedWitness, startWitness } from '../../../harness/peers/startWitness.ts'
import { createTemporaryFolder } from '../../../harness/runner/createTemporaryFolder.ts'

const PUBLIC_URL = 'https://registry.example'
const ORIGIN = logOrigin(PUBLIC_URL, DEPLOYMENT.logId)

describe('submitCheckpoint', () => {
  const folder = createTemporaryFolder()
  const firstSigner = createNoteSigner(readEd25519Key(join(folder.path, 'audit-log-key.json')))
  let signer = firstSigner
  let pipeline: AuditPipeline
  let peer: StartedWitness
  let now: number
  let faults: string[]

  beforeEach(async () => {
    pipeline = await openAuditPipeline()
    signer = firstSigner
    peer = await startWitness()
    peer.addLog(signer.verifierKey(ORIGIN))
    now = Date.UTC(2026, 10, 24)
    peer.setClock(() => now)
    faults = []
  })
  afterEach(async () => {
    await peer.stop()
    await pipeline.close()
  })
  after(() => folder.remove())

  /** Appends records with these numbers to a log and makes them final. */
  const grow = async (log: AuditPipeline, first: number, count: number) => {
    await log.append(Array.from({ length: count }, (_, i) => buildNumberedRecord(first + i)))
    const batch = await sealBatch({ ...log, limits: { batchSize: 1, batchSeconds: 5 } }, Date.now())
    await log.confirm(batch?.number ?? 0)
  }
  const partsOf = (log: AuditPipeline) => {
    const witnesses = createWitnessStore(log.db.query)
    const [witness] = readWitnessSettings(peer.setting, true)
    if (witness === undefined) throw new Error('no witness')
    return {
      witness,
      witnesses,
      proofs: { ...log, batchSeconds: 5 },
      checkpoints: {
        signer,
        publicUrl: PUBLIC_URL,
        cosignatures: (text: string) => witnesses.cosignatures(text, [witness.id]),
      },
      addCheckpoint: createAddCheckpoint({ allowPrivate: true }),
      transaction: log.transaction,
      random: () => 0.5,
      onFault: (_: string, fault: string) => void faults.push(fault),
    }
  }
  const submit = async (log = pipeline) => {
    const { witness, ...deps } = partsOf(log)
    return submitCheckpoint(deps, { witness, now })
  }
  const checkpoint = async (log = pipeline) => {
    const { proofs, checkpoints } = partsOf(log)
    return readCheckpoint({ anchors: proofs, checkpoints })
  }
  const signersOf = (note: string) => parseCheckpoint(note)?.signatures.map(({ name }) => name)
  const statuses = () => peer.submissions.map(({ status }) => status)

  it('submits nothing before there is a checkpoint', async () => {
    expect(await submit()).to.equal(0)
    expect(peer.submissions).to.deep.equal([])
  })

  it('stores the cosignature, which the checkpoint and every text proof then have', async () => {
    await grow(pipeline, 0, 3)
    expect(signersOf(await checkpoint())).to.deep.equal([ORIGIN])
    expect(await submit()).to.equal(1)
    expect(signersOf(await checkpoint())).to.deep.equal([ORIGIN, 'witness.example/w1'])
    const proof = await readTlogProof(partsOf(pipeline), { recordId: buildNumberedRecord(1).recordId })
    expect(proof).to.match(/\n\u2014 witness\.example\/w1 \S+\n$/u)
    expect(await submit(), 'again').to.equal(0)
    expect(statuses()).to.deep.equal([200])
  })

  it('has the cosignature renewed every fifteen minutes while the log does not grow', async () => {
    await grow(pipeline, 0, 3)
    peer.setClock(() => now - 3_600_000)
    await submit()
    const first = await checkpoint()
    now += 899_999
    expect(await submit(), 'whatever the clock of the witness says').to.equal(0)
    now += 1
    expect(await submit()).to.equal(1)
    expect(await submit()).to.equal(0)
    expect(statuses()).to.deep.equal([200, 200])
    const renewed = await checkpoint()
    expect(renewed).to.not.equal(first)
    expect(renewed.split('\n\n')[0]).to.equal(first.split('\n\n')[0])
    await grow(pipeline, 3, 2)
    expect(await submit(), 'a new one at once').to.equal(1)
  })

  it('proves to the witness how the log grew, from wherever the witness is', async () => {
    await grow(pipeline, 0, 3)
    await submit()
    await grow(pipeline, 3, 4)
    expect(await submit()).to.equal(1)
    expect(peer.submissions.at(-1)).to.include({ oldSize: 3, status: 200 })
    // A database without memory of the witness: the witness says where it is.
    await pipeline.db.transaction((trx) => trx('witness_heads').delete())
    await grow(pipeline, 7, 2)
    expect(await submit()).to.equal(1)
    expect(peer.submissions.slice(-2)).to.deep.include.members([
      { ...peer.submissions.at(-2), oldSize: 0, status: 409 },
      { ...peer.submissions.at(-1), oldSize: 7, status: 200 },
    ])
    expect(faults).to.deep.equal([])
  })

  it('is cosigned by a witness with either key while both sign, and then only with the successor', async () => {
    const keys = createKeyRing(createAgentKey().privateJwk as PrivateJwk)
    signer = createLogSigner(keys, () => now)
    peer.addLog(signer.verifierKey(ORIGIN))
    const successor = { signsFrom: now, formerUntil: now + 10 }
    keys.setLater([toRingKey(createAgentKey().privateJwk as PrivateJwk, successor)])
    await grow(pipeline, 0, 3)
    expect(await submit(), 'the former key is pinned').to.equal(1)
    now += 11
    await grow(pipeline, 3, 3)
    expect(await submit(), 'only the successor signs').to.equal(0)
    expect(faults.join()).to.include('403')
    peer.addLog(signer.verifierKey(ORIGIN))
    now += 3_600_000
    expect(await submit(), 'the witness has followed').to.equal(1)
    expect(statuses()).to.deep.equal([200, 403, 200])
  })

  it('gets no cosignature for a log that another database and the same key forked', async () => {
    await grow(pipeline, 0, 3)
    await submit()
    const forked = await openAuditPipeline()
    await grow(forked, 100, 5)
    expect(await submit(forked)).to.equal(0)
    expect(statuses()).to.deep.equal([200, 409, 422])
    expect(faults.join()).to.include('does not extend the one that it cosigned last (422)')
    expect(signersOf(await checkpoint(forked))).to.deep.equal([ORIGIN])
    await forked.close()
  })

  it('reports a log that became shorter, as after a restored backup', async () => {
    await grow(pipeline, 0, 5)
    await submit()
    const restored = await openAuditPipeline()
    await grow(restored, 0, 3)
    expect(await submit(restored)).to.equal(0)
    expect(faults.join()).to.include('says that it has cosigned 5 records of this log: the log lost records')
    await restored.close()
  })

  it('waits longer after each failure, and reports a failure once', async () => {
    await grow(pipeline, 0, 1)
    const fail = () => peer.overrides.push((res) => res.writeHead(500).end())
    const attempts: number[] = []
    const began = now
    for (let second = 0; second < 30; second += 1) {
      fail()
      const before = peer.overrides.length
      await submit()
      if (peer.overrides.length < before) attempts.push((now - began) / 1000)
      peer.overrides.length = 0
      now += 1000
    }
    expect(attempts).to.deep.equal([0, 1, 3, 7, 15])
    expect(faults).to.deep.equal(['responded with 500'])
    now += 600_000
    expect(await submit()).to.equal(1)
    await grow(pipeline, 1, 1)
    expect(await submit(), 'at once after a success').to.equal(1)
  })

  it('trusts nothing that is not signed by the witness, and names each refusal', async () => {
    await grow(pipeline, 0, 2)
    const other = await startWitness()
    other.addLog(signer.verifierKey(ORIGIN))
    const foreign = await fetch(`${other.url}/add-checkpoint`, {
      method: 'POST',
      body: `old 0\n\n${await checkpoint()}`,
    }).then((response) => response.text())
    await other.stop()
    const note = await checkpoint()
    const genuine = await fetch(`${peer.url}/add-checkpoint`, { method: 'POST', body: `old 0\n\n${note}` })
    const [dash, name = '', blob = ''] = (await genuine.text()).split(' ')
    const later = Buffer.from(blob, 'base64')
    later[11] = (later[11] ?? 0) ^ 1
    const { witness, addCheckpoint } = partsOf(pipeline)
    const ask = async (status: number, body: string, at = now) => {
      peer.overrides.push((res) => res.writeHead(status).end(body))
      const answer = await addCheckpoint({ witness, note, oldSize: 0, consistencyProof: [], now: at })
      return answer.kind === 'failed' ? answer.fault : answer.kind
    }
    expect(await ask(200, foreign)).to.equal('did not sign with its key')
    expect(await ask(200, `${dash} ${name} ${later.toString('base64')}\n`)).to.include('invalid cosignature')
    expect(await ask(200, `${dash} ${name} ${blob}`, now - 301_000)).to.include('a time in the future')
    expect(await ask(200, `${foreign}${dash} ${name} ${blob}`)).to.equal('cosigned')
    expect(await ask(200, '<html>')).to.include('something other than signature lines')
    expect(await ask(200, 'x'.repeat(40_000))).to.equal('could not be reached')
    expect(await ask(409, 'twelve')).to.include('409 without a size')
    expect(await ask(403, '')).to.include('does not accept the log’s signature')
    expect(await ask(404, '')).to.include('does not know this log')
    expect(await ask(302, '')).to.equal('responded with 302')
    const isPublicOnly = createAddCheckpoint({ allowPrivate: false })
    const refused = await isPublicOnly({ witness, note, oldSize: 0, consistencyProof: [], now })
    expect(refused).to.have.property('fault').that.includes('not public')
  })

  it('is done by one process at a time', async () => {
    await grow(pipeline, 0, 2)
    expect((await Promise.all([submit(), submit(), submit()])).toSorted()).to.deep.equal([0, 0, 1])
    expect(statuses()).to.deep.equal([200])
  })

  it('shows in the health check how many are up to date, and warns of one that fails for ten minutes', async () => {
    const { witness, witnesses } = partsOf(pipeline)
    const log = { batches: pipeline.batches, origin: async () => ORIGIN }
    const checking = { witnesses, ids: [witness.id], logsOf: async () => [log] }
    await grow(pipeline, 0, 2)
    expect(await checkWitnesses(checking, now)).to.deep.equal({
      status: 'pass',
      observed: { witnesses: 1, cosigned: 0 },
    })
    peer.overrides.push((res) => res.writeHead(404).end())
    await submit()
    expect(await checkWitnesses(checking, now + 600_000)).to.have.property('status', 'pass')
    const late = await checkWitnesses(checking, now + 600_001)
    expect(late).to.have.property('status', 'warn')
    expect(late.detail).to.match(/^witness\.example\/w1\+[0-9a-f]{8} does not know this log \(404\)/)
    now += 2_000
    await submit()
    expect(await checkWitnesses(checking, now + 600_001)).to.deep.equal({
      status: 'pass',
      observed: { witnesses: 1, cosigned: 1 },
    })
    expect(await readWitnessStates(checking)).to.deep.equal([
      { witness: witness.id, behind: 0, failingSince: null, fault: null },
    ])
    const other = { batches: pipeline.batches, origin: async () => 'registry.example/audit/other' }
    expect(await readWitnessStates({ ...checking, logsOf: async () => [log, other] })).to.deep.equal([
      { witness: witness.id, behind: 2, failingSince: null, fault: null },
    ])
  })
})
