import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { expect } from 'chai'
import { listen } from '../../harness/peers/listen.ts'
import { json } from '../openSvc.ts'
import { openSvcScene, PERSON, type SvcScene, type SvcUser } from '../openSvcScene.ts'

const SESSION = { data: { accessToken: 'a', refreshToken: 'r', expiresIn: 900 } }

describe('svc agents and endpoints', function () {
  this.timeout(120_000)
  let scene: SvcScene
  let svc: SvcUser

  before(async () => {
    scene = await openSvcScene()
  })
  after(() => scene?.service.stop())
  beforeEach(async () => {
    svc = scene.openUser()
    await svc.loginByPassword()
  })
  afterEach(() => svc.remove())
  it('lists the agents of the account', async () => {
    const { code, out } = await svc.run(['agents'])
    expect(code).to.equal(0)
    const [head, row, ...rest] = out.trimEnd().split('\n')
    expect(head).to.match(/^id +status +trust +chain +name$/)
    expect(row).to.match(new RegExp(`^${scene.svcId} +active +\\d+ +\\w+ +Buyer$`))
    expect(rest).to.deep.equal([])
    const [agent] = json(await svc.run(['agents', '--json', '--search', 'Buy']))
    expect(agent).to.include({ svcId: scene.svcId, name: 'Buyer' })
    expect(json(await svc.run(['agents', '--json', '--search', 'nothing']))).to.deep.equal([])
  })

  it('lists the endpoints of the account', async () => {
    expect((await svc.run(['endpoints'])).out).to.equal('No endpoints.\n')
    expect(json(await svc.run(['endpoints', '--json']))).to.deep.equal([])
  })

  it('renews an expired session and stores its successor', async () => {
    const stored = JSON.parse(readFileSync(svc.credentialsFile, 'utf8'))
    const expired = { ...stored, session: { ...stored.session, accessToken: 'expired', expiresAt: 0 } }
    writeFileSync(svc.credentialsFile, JSON.stringify(expired))
    expect((await svc.run(['agents'])).code).to.equal(0)
    const { session } = JSON.parse(readFileSync(svc.credentialsFile, 'utf8'))
    expect(session.expiresAt).to.be.greaterThan(Date.now())
    expect(session.refreshToken).to.not.equal(stored.session.refreshToken)
    expect(statSync(svc.credentialsFile).mode & 0o777).to.equal(0o600)
  })

  it('reads as many pages as the limit needs', async () => {
    const pages: string[] = []
    const other = await listen((req, res) => {
      pages.push(req.url ?? '')
      const items = Array.from({ length: 100 }, (_, nth) => ({ svcId: `SVC-${nth}` }))
      const answers = { items, nextCursor: 'next', success: true }
      res.end(JSON.stringify(req.method === 'POST' ? SESSION : answers))
    })
    try {
      await svc.run(['login', '--url', other.url, '--email', PERSON.email], 'p')
      pages.length = 0
      const listed = json(await svc.run(['agents', '--limit', '150', '--json']))
      expect(listed.length).to.be.at.least(150)
      expect(pages).to.deep.equal(['/api/agents?limit=100', '/api/agents?limit=50&cursor=next'])
    } finally {
      await other.stop()
    }
  })

  it('need a session, not a key', async () => {
    await svc.run(['logout'])
    await svc.loginByKey()
    for (const name of ['agents', 'endpoints']) {
      const run = await svc.run([name])
      expect(run.code).to.equal(4)
      expect(run.err).to.include('This command needs a session: run "svc login --email ADDRESS"')
    }
  })
})
