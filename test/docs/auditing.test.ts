import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashLeaf, hashNode } from '@svc/core/audit/merkleHash.ts'
import { encodeHex } from '@svc/core/bytes.ts'
import { expect } from 'chai'
import { toEventSelector, toFunctionSelector } from 'viem'
import { auditLog } from '../../server/chain/artifacts/auditLog.ts'
import { createOrganisation, type Organisation, registerEndpoint } from '../builders/participants.ts'
import { openNodeProxy } from '../harness/chain/openNodeProxy.ts'
import { type StartedWitness, startWitness } from '../harness/peers/startWitness.ts'
import { createTemporaryFolder } from '../harness/runner/createTemporaryFolder.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'
import { FORGERIES } from './forgeries.ts'

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/auditing.md'), 'utf8')

/** The code blocks of the page in a language, in order. */
const blocks = (language: string): string[] =>
  [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, code = '']) => code,
  )

/** Follows docs/auditing.md to the letter: saves its Python files and runs its commands in order. */
describe('docs/auditing.md', () => {
  const folder = createTemporaryFolder()
  let service: StartedService
  let witness: StartedWitness
  let shop: Organisation
  let environment: Record<string, string>
  let output: string
  /** Numbers of the records of another party between those of the shop. */
  let theirNumbers: number[]

  const sh = (script: string): Promise<{ code: number; output: string }> =>
    new Promise((resolve) => {
      const env = { ...environment, PATH: process.env.PATH ?? '', LC_ALL: 'C.UTF-8' }
      execFile('sh', ['-euc', script], { cwd: folder.path, env }, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr })
      })
    })
  const read = (name: string) => readFileSync(join(folder.path, name), 'utf8')
  const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text)

  before(async () => {
    witness = await startWitness()
    service = await startService({ settings: { WITNESSES: witness.setting } })
    witness.addLog((await api(service.baseUrl, 'GET', '/api/audit/key')).body.verifierKey)
    shop = await createOrganisation(service.baseUrl)
    const counterpartyId = await registerEndpoint(service.baseUrl, shop.apiKey)
    const other = await createOrganisation(service.baseUrl)
    const elsewhere = await registerEndpoint(service.baseUrl, other.apiKey)
    const askAt = async (id: string, { apiKey }: Organisation) => {
      const body = { counterpartyId: id, purpose: 'shopping:buy' }
      const path = '/api/agents/verify-access'
      return (await api(service.baseUrl, 'POST', path, { bearer: apiKey, body })).body.auditRecordId as string
    }
    const ask = () => askAt(counterpartyId, shop)
    const askElsewhere = () => askAt(elsewhere, other)
    const proofOf = (recordId: string) =>
      waitUntil(async () => {
        const answer = await api(service.baseUrl, 'GET', `/api/audit/records/${recordId}/proof`)
        return answer.status === 200 ? answer.body : null
      })
    const old = await proofOf(await ask())
    const records = [await ask(), await ask()]
    const theirs = [await askElsewhere(), await askElsewhere()]
    records.push(await ask(), await ask(), await ask())
    write('received.txt', `${records.join('\n')}\n`)
    await proofOf(records.at(-1) ?? '')
    const [first, last] = [await proofOf(records[0] ?? ''), await proofOf(records.at(-1) ?? '')]
    theirNumbers = await Promise.all(theirs.map(async (id) => (await proofOf(id)).index))
    const chain = (await api(service.baseUrl, 'GET', '/api/chain')).body
    environment = {
      ...{ REGISTRY: service.baseUrl, RPC: service.rpcUrl, RECORD: records[2] ?? '', KEY: shop.apiKey },
      ...{ CONTRACT: chain.contracts.auditLog, LOG: chain.logId },
      ...{ FIRST: String(first.index), LAST: String(last.index), OTHER_KEY: other.apiKey },
      ...{ OLD_SIZE: String(old.treeSize), OLD_BATCH: String(old.batch) },
      WITNESS_KEY: witness.verifierKey,
      ...{ NEW_SIZE: String(last.treeSize), NEW_BATCH: String(last.batch) },
    }
    for (const code of blocks('python')) {
      const [, name] = /^# (\w+\.py)\n/.exec(code) ?? []
      expect(name, 'a Python block names its file in its first line').to.be.a('string')
      write(name ?? '', code)
    }
    await waitUntil(async () => {
      const note = await (await fetch(`${service.baseUrl}/api/audit/checkpoint`)).text()
      return note.includes('witness.example/w1 ') || null
    })
    const ran = await sh(blocks('sh').join('\n'))
    expect(ran.code, ran.output).to.equal(0)
    output = ran.output
  })

  after(async () => {
    await service.stop()
    await witness.stop()
    folder.remove()
  })

  it('proves a record with standard tools', () => {
    const proof = JSON.parse(read('proof.json'))
    const digest = proof.leafHash.slice(2)
    expect(output.split(digest), 'the leaf hash, by both tools').to.have.length(3)
    expect(output)
      .to.include(`"recordId":"${environment.RECORD}"`)
      .and.include(`root ${proof.root}`)
      .and.include(`anchored in block ${proof.blockNumber} by ${proof.transactionHash}`)
      .and.include('the contract confirms the entry')
  })

  it('accepts an entry of version 1 at its number, and at no other', async () => {
    const check = async (seq: number) => {
      const entry = JSON.stringify({ seq, version: 1 })
      const leafHash = encodeHex(hashLeaf(entry))
      const proof = {
        entry: btoa(entry),
        leafHash,
        index: 0,
        treeSize: 1,
        inclusionProof: [],
        root: leafHash,
      }
      write('former.json', JSON.stringify(proof))
      return sh('python3 root.py former.json')
    }
    expect(await check(0)).to.have.property('code', 0)
    expect((await check(1)).output).to.include('the entry has a different sequence number')
  })

  it('proves that an export is complete, that one batch extends another, and who signed the head', () => {
    const { OLD_SIZE, NEW_SIZE } = environment
    expect(output)
      .to.include(`5 records proven, the chain has ${NEW_SIZE}`)
      .and.include(`numbers of other parties: ${theirNumbers.join('-')}\n`)
      .and.include('complete: all 5 records that you received are in the export')
      .and.include(`the log of ${NEW_SIZE} records begins with the log of ${OLD_SIZE}`)
    expect(output.split('Signature Verified Successfully'), 'by the log and the witness').to.have.length(3)
    expect(read('record.tlog-proof')).to.match(/^c2sp\.org\/tlog-proof@v1\n/)
  })

  it('requires every number only of exports that together have no gap', async () => {
    const { FIRST, LAST } = environment
    const archived = await sh('python3 complete.py "$FIRST" "$LAST"')
    expect(archived.output).to.include(`missing: ${theirNumbers.join('-')}\n`)
    expect(archived.code).to.equal(1)
    const honest = read('export.jsonl')
    const url = '"$REGISTRY/api/audit/export?from=$FIRST&to=$LAST"'
    const fetched = await sh(`curl -fsS -H "Authorization: Bearer $OTHER_KEY" ${url} >> export.jsonl`)
    expect(fetched.code, fetched.output).to.equal(0)
    const together = await sh('python3 complete.py "$FIRST" "$LAST"')
    const partial = await sh('sed -i 3d export.jsonl; python3 complete.py "$FIRST" "$LAST"')
    write('export.jsonl', honest)
    expect(together.output).to.include(`complete from ${FIRST} to ${LAST}`)
    expect(partial.code).to.equal(1)
  })

  it('names the records that were received but not exported, and numbers that are not anchored', async () => {
    write('more.txt', `${read('received.txt')}record-of-ours\n`)
    const lacking = await sh('python3 complete.py "$FIRST" "$LAST" more.txt')
    expect(lacking.output).to.include('received, but not in the export: record-of-ours\n')
    expect(lacking.code).to.equal(1)
    const { NEW_SIZE } = environment
    const early = await sh('python3 complete.py "$FIRST" "$NEW_SIZE" received.txt')
    expect(early.output).to.include(`number ${NEW_SIZE} is not anchored yet`)
  })

  it('names a record that has two numbers in the log, even with opposite verdicts', async () => {
    const entries = ['grant', 'deny'].map((decision) => JSON.stringify({ decision, recordId: 'one' }))
    const [first, second] = entries.map(hashLeaf)
    if (first === undefined || second === undefined) throw new Error('two leaves')
    const root = encodeHex(hashNode(first, second))
    const proofs = entries.map((entry, index) => ({
      ...{ entry: btoa(entry), leafHash: encodeHex(hashLeaf(entry)), index, treeSize: 2, root, batch: 1 },
      ...{ inclusionProof: [encodeHex(index === 0 ? second : first)], blockNumber: 1 },
    }))
    const hexOf = (value: number | string) =>
      typeof value === 'string' ? value.slice(2) : value.toString(16)
    const words = (...values: (number | string)[]) =>
      `0x${values.map((value) => hexOf(value).padStart(64, '0')).join('')}`
    const node = await openNodeProxy(service.rpcUrl)
    node.intercept(({ method }) =>
      method === 'eth_call'
        ? { result: words(1, 2, 0, root, 1) }
        : { result: [{ data: words(0, 2, root), transactionHash: '0x01', blockNumber: '0x1' }] },
    )
    const honest = read('export.jsonl')
    write('export.jsonl', proofs.map((proof) => JSON.stringify(proof)).join('\n'))
    const ran = await sh(`RPC=${node.url} python3 complete.py 0 1`)
    write('export.jsonl', honest)
    node.close()
    expect(ran.output).to.include('record one has two numbers: 0 and 1')
    expect(ran.code).to.equal(1)
  })

  it('queries the node once per batch of an export rather than per record', async () => {
    const node = await openNodeProxy(service.rpcUrl)
    const asked: string[] = []
    node.intercept(({ method }) => {
      asked.push(method)
      return 'pass'
    })
    const { code } = await sh(`RPC=${node.url} python3 complete.py "$FIRST" "$LAST" received.txt`)
    node.close()
    expect(code).to.equal(0)
    expect(asked).to.deep.equal(['eth_getLogs', 'eth_call'])
  })

  it('calls the functions and reads the event of the contract', () => {
    for (const item of auditLog.abi) {
      if (item.type === 'function' && ['head', 'verifyInclusion'].includes(item.name)) {
        expect(PAGE, item.name).to.include(`'${toFunctionSelector(item)}'`)
      }
      if (item.type === 'event' && item.name === 'BatchAnchored') {
        expect(PAGE, item.name).to.include(`'${toEventSelector(item)}'`)
      }
    }
  })

  describe('detects', () => {
    for (const [name, file, command, forge] of FORGERIES) {
      it(name, async () => {
        const honest = read(file)
        expect(forge(honest)).to.not.equal(honest)
        expect((await sh(command)).code, 'before').to.equal(0)
        write(file, forge(honest))
        const ran = await sh(command)
        write(file, honest)
        expect(ran.code, ran.output).to.equal(1)
      })
    }
  })
})
