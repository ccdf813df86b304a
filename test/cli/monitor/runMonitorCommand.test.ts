import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { verifyWebhook } from '@svc/client/webhooks.ts'
import { expect } from 'chai'
import { createKeyRing, type PrivateJwk, toRingKey } from '../../../server/external/keys/keyRing.ts'
import { createLogSigner } from '../../../server/external/keys/logSigner.ts'
import { createNoteSigner } from '../../../server/external/keys/noteSigner.ts'
import { readEd25519Key } from '../../../server/external/keys/readEd25519Key.ts'
import { buildNumberedRecord } from '../../builders/buildNumberedRecord.ts'
import { createAgentKey } from '../../builders/createAgentKey.ts'
import type { AnchoredLog } from '../../harness/chain/openAnchoredLog.ts'
import { DEPLOYMENT } from '../../harness/database/openAuditPipeline.ts'
import { listen } from '../../harness/peers/listen.ts'
import { startWitness } from '../../harness/peers/startWitness.ts'
import { type MonitorScene, openMonitorScene, SECRET } from './openMonitorScene.ts'

describe('the monitor of an audit log', () => {
  let scene: MonitorScene
  let service: MonitorScene['service']
  let log: AnchoredLog
  let forked: AnchoredLog
  let signer: MonitorScene['signer']

  before(async () => {
    scene = await openMonitorScene()
    ;({ service, log, forked, signer } = scene)
  })
  after(() => scene?.close())
  beforeEach(() => scene.reset())

  const look = (...args: string[]) => scene.look(...args)
  const chainArgs = () => scene.chainArgs()

  it('finds nothing wrong with a log that grows, its records and the chain', async () => {
    expect(await look(...chainArgs())).to.deep.include({ code: 0, lines: [] })
    const key = signer.verifierKey(scene.origin)
    service.requests.length = 0
    expect(await look(...chainArgs(), '--log-key', key)).to.deep.include({ code: 0, lines: [], notes: '' })
    expect(service.requests, 'no record is read twice').to.not.include('/api/audit/export?from=0&to=6')
    const state = scene.logState()
    expect(state).to.have.nested.property('head.size', 7)
    expect(Object.values(state?.records ?? {})).to.deep.equal([0, 1, 2, 3, 4, 5, 6])
  })

  it('reports a rewritten log once, in words and with both signed checkpoints', async () => {
    await look()
    service.log = forked
    const { code, lines, found } = await look('--mail', 'me@example.com')
    expect([code, found]).to.deep.equal([1, ['rewritten']])
    expect(lines[0]?.message).to.include('the log was rewritten: its checkpoint of 9 records does not extend')
    expect(lines[0]?.evidence.map((note) => note.split('\n')[1])).to.deep.equal(['7', '9'])
    expect(scene.mails.map(({ to, text }) => [to, text.includes('the log was rewritten')])).to.deep.equal([
      ['me@example.com', true],
    ])
    expect(await look('--mail', 'me@example.com'), 'again').to.deep.include({ code: 1, lines: [] })
    expect(scene.mails).to.have.length(1)
  })

  it('reports a checkpoint that is signed with another key', async () => {
    await look()
    const other = createNoteSigner(readEd25519Key(scene.file('other-key.json')))
    service.signer = other
    expect((await look()).found, 'another key').to.deep.equal(['checkpoint'])
    service.signer = signer
    expect((await look()).lines).to.deep.equal([
      {
        level: 'ended',
        time: new Date(scene.now).toISOString(),
        finding: 'checkpoint',
        log: DEPLOYMENT.logId,
      },
    ])
  })

  describe('follows a hand-over of the key', () => {
    const jwks = [1, 2, 3].map(() => createAgentKey().privateJwk as PrivateJwk) as [
      PrivateJwk,
      PrivateJwk,
      PrivateJwk,
    ]
    /** A signer whose first key has handed over to the others at the given times, with an overlap of 10. */
    const signerOf = (first: PrivateJwk, ...later: [PrivateJwk, number][]) => {
      const keys = createKeyRing(first)
      keys.setLater(
        later.map(([jwk, signsFrom]) => toRingKey(jwk, { signsFrom, formerUntil: signsFrom + 10 })),
      )
      return createLogSigner(keys, () => scene.now)
    }
    const remembered = () => scene.logState()?.handovers.length
    const show = (edit: (notes: string[]) => string[]) => {
      service.tamper = (path, body) => {
        if (path !== '/api/audit/key') return body
        const key = JSON.parse(body)
        return JSON.stringify({ ...key, handovers: edit(key.handovers) })
      }
    }

    it('from the key that it trusts, and remembers it', async () => {
      service.signer = signerOf(jwks[0])
      expect((await look()).code).to.equal(0)
      service.signer = signerOf(jwks[0], [jwks[1], scene.now + 100])
      expect([(await look()).code, remembered()], 'before it signs, it can be withdrawn').to.deep.equal([
        0, 0,
      ])
      scene.now += 100
      expect([(await look()).code, remembered()], 'both sign').to.deep.equal([0, 1])
      scene.now += 11
      expect([(await look()).code, remembered()], 'only the new one').to.deep.equal([0, 1])
      show(() => [])
      expect(await look(), 'the service no longer shows it').to.deep.include({ code: 0, lines: [] })
    })

    it('over several changes at once, from a key given by --log-key', async () => {
      const first = signerOf(jwks[0]).verifierKey(scene.origin)
      service.signer = signerOf(jwks[0], [jwks[1], scene.now - 100], [jwks[2], scene.now - 50])
      const args = ['--log-key', first]
      expect([(await look(...args)).code, remembered()]).to.deep.equal([0, 2])
      expect((await look(...args)).code).to.equal(0)
    })

    it('but accepts no successor without one, nor with one that another key signed', async () => {
      service.signer = signerOf(jwks[0])
      await look()
      service.signer = signerOf(jwks[1])
      expect((await look()).found).to.deep.equal(['checkpoint'])
      rmSync(scene.stateFile)
      service.signer = signerOf(jwks[0])
      await look()
      service.signer = signerOf(jwks[2], [jwks[1], scene.now - 100])
      expect((await look()).found).to.deep.equal(['checkpoint'])
    })

    it('and reports one that does not verify', async () => {
      service.signer = signerOf(jwks[0])
      await look()
      service.signer = signerOf(jwks[0], [jwks[1], scene.now - 100])
      show((notes) => notes.map((note) => note.replace(/\d{4}-/, '2000-')))
      const { code, lines, found } = await look()
      const expected = ['checkpoint', 'handover:its signature is invalid']
      expect([code, found], 'the worst first').to.deep.equal([1, expected])
      expect(lines[1]?.message).to.include('not to be trusted: its signature is invalid')
      expect(lines[1]?.evidence[0]).to.include('\nkey hand-over\n')
    })

    it('and reports a second one of the same key, to another', async () => {
      service.signer = signerOf(jwks[0], [jwks[1], scene.now - 100])
      await look('--log-key', signerOf(jwks[0]).verifierKey(scene.origin))
      const args = ['--log-key', signerOf(jwks[0]).verifierKey(scene.origin)]
      service.signer = signerOf(jwks[0], [jwks[2], scene.now - 100])
      const { found, lines } = await look(...args)
      expect(found.map((id) => id.split(':')[0])).to.deep.equal(['checkpoint', 'handover'])
      expect(lines[1]?.message).to.include('the same key has named another successor before')
    })

    it('and does not check a checkpoint that only a former key signed', async () => {
      service.signer = signerOf(jwks[0])
      await look()
      service.signer = signerOf(jwks[0], [jwks[1], scene.now - 100])
      await look()
      service.signer = signerOf(jwks[0])
      const { code, lines, notes } = await look()
      expect([code, lines]).to.deep.equal([2, []])
      expect(notes).to.include('signed only with a key that has handed over to another')
    })
  })

  it('reports a head that the chain does not have', async () => {
    service.log = forked
    const { code, lines } = await look('--rpc', forked.rpcUrl, '--contract', forked.contract)
    expect([code, lines]).to.deep.equal([0, []])
    rmSync(scene.stateFile)
    await forked.anchorRecords(1)
    service.log = log
    const foreign = await look('--rpc', forked.rpcUrl, '--contract', forked.contract)
    expect([foreign.code, foreign.found]).to.deep.equal([1, ['anchor']])
    expect(foreign.lines[0]?.message).to.include('the log on chain never had 7 records')
  })

  it('reports a record that is removed from the export, at the latest a day later', async () => {
    await look('--agents', 'SVC-agent00000000000000000')
    service.tamper = (path, body) =>
      path.startsWith('/api/audit/export') ? body.split('\n').toSpliced(4, 1).join('\n') : body
    scene.now += 86_400_000
    const { code, lines } = await look('--agents', 'SVC-agent00000000000000000')
    expect([code, lines.map(({ message }) => message)]).to.deep.equal([
      1,
      [`record ${buildNumberedRecord(4).recordId}, number 4, was in your export and is missing now`],
    ])
    service.tamper = (_, body) => body
    expect((await look('--agents', 'SVC-agent00000000000000000')).code).to.equal(0)
  })

  it('reports a record that was received and is left out of the export, or is unknown', async () => {
    const received = scene.receivedArgs(
      buildNumberedRecord(2).recordId,
      buildNumberedRecord(5).recordId,
      'unknown',
    )
    service.tamper = (path, body) =>
      path.startsWith('/api/audit/export') ? body.split('\n').toSpliced(5, 1).join('\n') : body
    const { code, lines } = await look(...received)
    expect([code, lines.map(({ message }) => message)]).to.deep.equal([
      1,
      [
        `record ${buildNumberedRecord(5).recordId}, number 5, which you received, is not in your export`,
        'the service does not know record unknown, which you received',
      ],
    ])
  })

  it('reports a record whose event differs from its entry, until it is right again', async () => {
    service.tamper = (path, body) =>
      path.startsWith('/api/audit/export')
        ? body.replace(/"agentId":"SVC-agent00000000000000000"/, '"agentId":"SVC-other00000000000000000"')
        : body
    expect((await look()).found).to.deep.equal(['record:0'])
    expect((await look()).code, 'still').to.equal(1)
    service.tamper = (_, body) => body
    expect((await look()).code).to.equal(0)
  })

  it('says nothing of a restart, and reports a log that cannot be checked for ten minutes', async () => {
    await look()
    service.isDown = true
    const down = await look()
    expect([down.code, down.lines]).to.deep.equal([2, []])
    expect(down.notes).to.match(/Not checked: .* responded with 503/)
    service.isDown = false
    scene.now += 599_000
    expect((await look()).code).to.equal(0)
    service.isDown = true
    await look()
    scene.now += 600_000
    expect(await look()).to.deep.include({ code: 1, found: ['unchecked'] })
  })

  it('reports a missing witness only where witnesses are required', async () => {
    const [one, two] = [
      await startWitness({ name: 'one.example/w' }),
      await startWitness({ name: 'two.example/w' }),
    ]
    service.cosignatures = async (text) => [one.cosign(text)]
    const both = ['--witness', one.verifierKey, '--witness', two.verifierKey]
    expect((await look()).code, 'not asked for').to.equal(0)
    expect((await look(...both, '--cosignatures', '1')).code).to.equal(0)
    const { code, lines } = await look(...both)
    expect([code, lines.map(({ message }) => message)]).to.deep.equal([
      1,
      [
        'only 1 of the 2 required witnesses cosigned the newest checkpoint in the last 60 minutes; missing: two.example/w',
      ],
    ])
    let reads = 0
    service.cosignatures = async (text) => {
      reads += 1
      return reads < 3 ? [] : [one.cosign(text), two.cosign(text)]
    }
    expect((await look(...both)).code, 'cosigned a moment later').to.equal(0)
    service.cosignatures = async (text) => [one.cosign(`${text}forged\n`)]
    expect((await look('--witness', one.verifierKey, '--cosignatures', '0')).found).to.deep.equal([
      'cosignature:one.example/w',
    ])
    await one.stop()
    await two.stop()
  })

  it('delivers an alert to a webhook, signed, until it is accepted', async () => {
    await look()
    service.log = forked
    const verdicts: unknown[] = []
    let status = 500
    const receiver = await listen(async (req, res) => {
      const rawBody = Buffer.concat(await req.toArray())
      const headers = req.headers as Record<string, string>
      verdicts.push(verifyWebhook({ rawBody, headers, secret: SECRET, now: scene.now }).ok)
      res.writeHead(status).end()
    })
    const first = await look('--webhook', receiver.url)
    expect(first.notes).to.include('An alert was not delivered: the webhook responded with 500')
    status = 200
    await look('--webhook', receiver.url)
    await look('--webhook', receiver.url)
    expect(verdicts).to.deep.equal([true, true])
    await receiver.stop()
  })

  it('refuses a damaged state file and that of another service', async () => {
    await look()
    const text = readFileSync(scene.stateFile, 'utf8')
    const failure = () => look().then(String, (error: Error) => error.message)
    writeFileSync(scene.stateFile, text.replace(service.url, 'https://other.example'))
    expect(await failure()).to.include('is about https://other.example')
    writeFileSync(scene.stateFile, text.slice(0, 40))
    expect(await failure()).to.include('is not a state file')
    expect(existsSync(`${scene.stateFile}.${process.pid}.tmp`)).to.equal(false)
  })
})
