import { writeFileSync } from 'node:fs'
import { isMirrorOf, mirrorIdOf } from '@svc/core/audit/mirrorId.ts'
import { expect } from 'chai'
import { openAuditChain } from '../../../cli/audit/openAuditChain.ts'
import { LOCAL_CHAIN_KEY } from '../../../server/chain/localNetwork.ts'
import { createNoteSigner } from '../../../server/external/keys/noteSigner.ts'
import { readEd25519Key } from '../../../server/external/keys/readEd25519Key.ts'
import { signCheckpoint } from '../../../server/services/audit/readCheckpoint.ts'
import { createRpc } from '../../harness/chain/createRpc.ts'
import { openAnchoredLog } from '../../harness/chain/openAnchoredLog.ts'
import { openMirrorScene } from './openMirrorScene.ts'

const OTHER_LOG = `0x${'ab'.repeat(32)}` as const
const POOR_KEY = `0x${'07'.repeat(32)}`

describe('npm run mirror', function () {
  this.timeout(60_000)
  let scene: Awaited<ReturnType<typeof openMirrorScene>>

  before(async () => {
    scene = await openMirrorScene()
  })
  after(() => scene.close())

  const mirrorId = () => mirrorIdOf(String(scene.deployed.lines[0]?.account), scene.log.logId)
  const openMirror = async () =>
    openAuditChain({
      rpc: scene.second.url,
      contract: scene.contract as `0x${string}`,
      logId: mirrorId(),
    })

  it('prints the contract that it deployed, with its chain and account', () => {
    expect(scene.deployed.code).to.equal(0)
    expect(scene.deployed.lines).to.have.length(1)
    expect(scene.deployed.lines[0]).to.include({ level: 'deployed', chainId: 31_337 })
    expect(scene.contract).to.match(/^0x[0-9a-fA-F]{40}$/)
  })

  it('anchors the newest head of the log under an id that names the account and the log', async () => {
    const { code, lines, notes } = await scene.look()
    expect({ code, notes }).to.deep.equal({ code: 0, notes: '' })
    const { head } = await openMirror()
    expect(head).to.include({ batch: 1, size: 7 })
    expect(lines).to.have.length(1)
    expect(lines[0]).to.include({ level: 'extended', log: scene.log.logId, mirror: mirrorId(), size: 7 })
    expect(lines[0]?.root).to.equal(head.root)
    expect(isMirrorOf(mirrorId(), scene.log.logId)).to.equal(true)
    expect(isMirrorOf(mirrorId(), OTHER_LOG)).to.equal(false)
  })

  it('sends nothing while the log has not grown, also after a restart', async () => {
    const { code, lines } = await scene.look()
    expect({ code, lines }).to.deep.equal({ code: 0, lines: [] })
    expect((await openMirror()).head.batch).to.equal(1)
  })

  it('extends the mirror by what the log has grown', async () => {
    await scene.log.anchorRecords(5)
    await scene.log.anchorRecords(1)
    expect((await scene.look()).lines[0]).to.include({ level: 'extended', size: 13 })
    expect((await openMirror()).head).to.include({ batch: 2, size: 13 })
  })

  it('extends it once if two processes do it at once', async () => {
    await scene.log.anchorRecords(2)
    const both = await Promise.all([scene.look(), scene.look()])
    // One of them may find its transaction refused, as the head has moved on; the next look finds nothing to do.
    expect(both.flatMap(({ lines }) => lines).filter(({ level }) => level === 'alert')).to.deep.equal([])
    expect(await scene.look()).to.include({ code: 0 })
    expect((await openMirror()).head).to.include({ batch: 3, size: 15 })
  })

  it('keeps following until the signal, and prints a lasting alert once', async () => {
    const forked = await scene.fork(20)
    const stopping = new AbortController()
    let looks = 0
    scene.service.log = forked
    const { code, lines } = await scene.follow({
      signal: stopping.signal,
      pause: async () => {
        looks += 1
        if (looks === 3) stopping.abort()
      },
    })
    scene.service.log = scene.log
    await forked.close()
    expect(code).to.equal(1)
    expect(lines).to.have.length(1)
    expect(lines[0]).to.include({ level: 'alert', finding: 'rewritten', log: scene.log.logId })
    expect(lines[0]?.message).to.match(/does not extend the mirror, which has 15/)
    expect(String(lines[0]?.evidence)).to.include(`audit/${scene.log.logId}\n20\n`)
    expect((await openMirror()).head).to.include({ batch: 3, size: 15 })
  })

  it('refuses another root of the size that it has', async () => {
    const forked = await scene.fork(15)
    scene.service.log = forked
    const { code, lines } = await scene.look()
    scene.service.log = scene.log
    await forked.close()
    expect(code).to.equal(1)
    expect(lines[0]?.message).to.match(/at 15 records its root is 0x[0-9a-f]{64}, but the mirror has 0x/)
  })

  it('refuses a checkpoint of another key than the pinned one', async () => {
    const other = createNoteSigner(readEd25519Key(scene.file('other-key.json')))
    const logKey = other.verifierKey(`registry.example/audit/${scene.log.logId}`)
    const { code, lines } = await scene.look('--log-key', logKey)
    expect(code).to.equal(1)
    expect(lines[0]).to.include({ level: 'alert', finding: 'checkpoint' })
    const own = scene.signer.verifierKey(`registry.example/audit/${scene.log.logId}`)
    expect(await scene.look('--log-key', own)).to.include({ code: 0 })
  })

  it('waits for a service that shows less than the mirror has', async () => {
    const shorter = await openAnchoredLog()
    await shorter.anchorRecords(4)
    scene.service.log = shorter
    const { code, notes } = await scene.look()
    scene.service.log = scene.log
    await shorter.close()
    expect(code).to.equal(2)
    expect(notes).to.include('the newest checkpoint has 4 records, but the mirror has 15')
  })

  it('says so if the service shows no checkpoint any more', async () => {
    scene.service.lie = (path, res) =>
      path.includes('/checkpoint') &&
      Boolean(res.writeHead(404).end(JSON.stringify({ success: false, code: 'NOT_ANCHORED_YET' })))
    const { code, notes } = await scene.look()
    scene.service.lie = () => false
    expect(code).to.equal(2)
    expect(notes).to.include('the service shows no checkpoint, but the mirror has 15 records')
  })

  it('mirrors nothing of a log that has no final batch', async () => {
    const empty = await openAnchoredLog({
      logId: OTHER_LOG.replace(/^.{42}/, scene.log.logId.slice(0, 42)) as `0x${string}`,
    })
    scene.service.otherLogs = [empty]
    const { code, lines } = await scene.look()
    expect({ code, lines }).to.deep.equal({ code: 0, lines: [] })
    scene.service.otherLogs = []
    await empty.close()
  })

  it('mirrors only the logs that --log names, and says which the service does not name', async () => {
    const { code, notes } = await scene.look('--log', OTHER_LOG)
    expect(code).to.equal(2)
    expect(notes).to.equal(`Not mirrored, ${OTHER_LOG}: the service does not name this log.`)
    expect(await scene.look('--log', scene.log.logId)).to.include({ code: 0, notes: '' })
  })

  it('goes on when the service or a proof is not there, and says what is missing', async () => {
    scene.service.isDown = true
    const down = await scene.look()
    scene.service.isDown = false
    expect(down.code).to.equal(2)
    expect(down.notes).to.match(/^Not mirrored: http:.* responded with 503/)
    await scene.log.anchorRecords(1)
    scene.service.lie = (path, res) => path.includes('/consistency') && Boolean(res.end('{}'))
    const unproven = await scene.look()
    scene.service.lie = () => false
    expect(unproven.code).to.equal(2)
    expect(unproven.notes).to.match(/consistency proof at .* is malformed/)
    expect((await openMirror()).head.size).to.equal(15)
    expect((await scene.look()).lines[0]).to.include({ level: 'extended', size: 16 })
  })

  it('refuses a proof that leads elsewhere', async () => {
    await scene.log.anchorRecords(1)
    scene.service.tamper = (path, body) => {
      if (!path.includes('/consistency')) return body
      const document = JSON.parse(body)
      document.consistencyProof[0] = OTHER_LOG
      return JSON.stringify(document)
    }
    const { code, lines } = await scene.look()
    scene.service.tamper = (_, body) => body
    expect(code).to.equal(1)
    expect(lines[0]).to.include({ level: 'alert', finding: 'rewritten' })
    expect((await scene.look()).lines[0]).to.include({ size: 17 })
  })

  it('leaves the mirror as it is if a signed root is not that of the log', async () => {
    await scene.log.anchorRecords(1)
    const head = { logId: scene.log.logId, size: 18, root: OTHER_LOG }
    const forged = signCheckpoint({ signer: scene.signer, publicUrl: 'https://registry.example' }, head)
    scene.service.tamper = (path, body) => (path.includes('/checkpoint') ? forged : body)
    expect((await scene.look()).lines[0]).to.include({ level: 'alert', finding: 'rewritten' })
    scene.service.tamper = (_, body) => body
    expect((await openMirror()).head.size).to.equal(17)
    expect((await scene.look()).code).to.equal(0)
  })

  it('says what prevents a transaction, and does it at the next look', async () => {
    await scene.log.anchorRecords(1)
    const dear = await scene.look('--max-fee', '0.000000001')
    expect(dear.code).to.equal(2)
    expect(dear.notes).to.match(
      /Gas costs [\d.]+ gwei, more than the highest fee of 0\.000000001 gwei \(.*--max-fee/,
    )
    writeFileSync(scene.file('poor.key'), `${POOR_KEY}\n`)
    const poor = await scene.look('--key-file', scene.file('poor.key'))
    expect(poor.code).to.equal(2)
    expect(poor.notes).to.match(/0x[0-9a-fA-F]{40} cannot pay for its transaction|insufficient|enough funds/i)
    expect(poor.notes).to.not.include(POOR_KEY.slice(2))
    scene.node.intercept(() => ({ status: 503, text: 'away' }))
    const away = await scene.look()
    scene.node.intercept()
    expect(away.code).to.equal(2)
    expect(away.notes).to.match(/the node of the second chain: /)
    expect((await scene.look()).lines[0]).to.include({ level: 'extended', size: 19 })
  })

  it('finds on chain what it sent before it was killed', async () => {
    await scene.log.anchorRecords(1)
    // The transaction is mined, and its sender never learns it.
    let isSent = false
    scene.node.intercept(({ method }) => {
      if (method === 'eth_sendRawTransaction') isSent = true
      return isSent && method !== 'eth_sendRawTransaction' ? { error: 'gone' } : 'pass'
    })
    expect(await scene.look()).to.include({ code: 2 })
    scene.node.intercept()
    expect(await scene.look()).to.deep.include({ code: 0, lines: [], notes: '' })
    expect((await openMirror()).head.size).to.equal(20)
  })

  it('replaces what it sent before it was killed, if that is not mined', async () => {
    const rpc = createRpc(scene.second.url)
    await rpc('evm_setAutomine', [false])
    await scene.log.anchorRecords(1)
    const stopping = new AbortController()
    scene.node.intercept(({ method }) => {
      if (method === 'eth_getTransactionReceipt') stopping.abort()
      return 'pass'
    })
    const stopped = await scene.follow({ signal: stopping.signal }, '--once')
    scene.node.intercept()
    expect(stopped).to.deep.include({ code: 2, lines: [] })
    expect(stopped.notes).to.equal('Stopped before it was done. A transaction may be under way.')
    let sent = 0
    scene.node.intercept(async ({ method, params }) => {
      // Like most nodes, which do not count what is pending.
      if (method === 'eth_estimateGas') return { ask: { method, params: [params[0], 'latest'] } }
      if (method === 'eth_sendRawTransaction') sent += 1
      if (method === 'eth_getTransactionReceipt' && sent === 2) await rpc('evm_mine')
      return 'pass'
    })
    // Another head, so another transaction with the nonce of the one that is pending.
    await scene.log.anchorRecords(1)
    const { lines, notes } = await scene.look()
    scene.node.intercept()
    await rpc('evm_setAutomine', [true])
    expect(notes).to.equal('')
    expect(lines[0]).to.include({ level: 'extended', size: 22 })
  })

  it('refuses an address that is no audit log', async () => {
    const { code, notes } = await scene.run([
      ...['--service', scene.service.url, '--contract', `0x${'12'.repeat(20)}`, '--once'],
    ])
    expect(code).to.equal(2)
    expect(notes).to.match(/0x1212.* on chain 31337 is not an audit log/)
  })

  it('does not deploy without a node', async () => {
    scene.node.intercept(() => ({ status: 503, text: 'away' }))
    const { code, notes } = await scene.run(['--deploy'])
    scene.node.intercept()
    expect(code).to.equal(2)
    expect(notes).to.match(/^Not deployed: the node of the second chain: /)
  })

  for (const [name, env, args, message] of [
    ['no key', {}, [], /private key is missing/],
    ['a wrong key', { MIRROR_PRIVATE_KEY: '0x12' }, [], /MIRROR_PRIVATE_KEY must hold a private key/],
    ['a missing key file', {}, ['--key-file', '/nowhere/key'], /\/nowhere\/key cannot be read/],
  ] as const)
    it(`is a mistake with ${name}`, async () => {
      const failed = await scene.run(['--deploy', ...args], { env }).then(
        () => null,
        (error: Error) => error,
      )
      expect(failed?.name).to.equal('UsageError')
      expect(failed?.message).to.match(message)
      expect(failed?.message).to.not.include(LOCAL_CHAIN_KEY.slice(2))
    })
})
