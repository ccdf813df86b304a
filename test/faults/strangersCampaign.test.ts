import { randomInt, randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createLimitWatch } from '../../server/services/verification/probing/createLimitWatch.ts'
import { registerEndpoint, signHeaders } from '../builders/participants.ts'
import { faultMode } from '../harness/faults/faultMode.ts'
import { reportFaultFigure } from '../harness/faults/reportFaultFigure.ts'
import { listen } from '../harness/peers/listen.ts'
import { startTxtNameServer } from '../harness/peers/startTxtNameServer.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import type { ApiAnswer } from '../harness/service/api.ts'
import { type Owner, type OwnerScene, openOwnerScene } from '../server/services/approvals/openOwnerScene.ts'
import { searchByBisection } from '../server/services/verification/searchByBisection.ts'

/** Accounts of strangers, organisations of each, and how often each organisation tries each attack. */
const SIZE = {
  none: { accounts: 7, organisations: 2, rounds: 3, registrations: 45 },
  short: { accounts: 10, organisations: 5, rounds: 5, registrations: 150 },
  full: { accounts: 40, organisations: 25, rounds: 6, registrations: 2_000 },
}[faultMode]
/** Requests at a time. */
const BATCH = 32
const NETWORKS = Math.ceil(SIZE.registrations / 40)
const HARD_LIMIT = 437.61
/** Nothing listens there, so that looking for a stranger’s proof takes no time. */
const SHOPS_URL = 'http://127.0.0.1:1/shop'
const UNCLAIMED = 'nobody-has-claimed-this.io'

type Place = { account: number; bearer: string; counterpartyId: string }
type Outcome = { name: string; account: number; status: number; outcome: string; dimensions: string[] }

describe('a campaign of strangers with free organisations, many keys and many addresses', function () {
  this.timeout(faultMode === 'full' ? 3_600_000 : 240_000)
  let scene: OwnerScene
  let ada: Owner
  let site: Awaited<ReturnType<typeof listen>>
  /** Knows no host, so that nobody proves the one of the shop. */
  let names: Awaited<ReturnType<typeof startTxtNameServer>>
  let challenges = 0
  const strangers: Owner[] = []
  const places: Place[] = []
  const outcomes: Outcome[] = []

  /** A different address of a different network for every request. */
  const anyAddress = () => ({
    'x-forwarded-for': `203.${randomInt(1, 250)}.${randomInt(250)}.${randomInt(1, 250)}`,
  })

  const openPlace = async (account: number): Promise<Place> => {
    const stranger = strangers[account]
    const organizationId = await stranger?.organizationWith([])
    const body = { name: 'key', organizationId }
    const bearer = (await stranger?.call('POST', '/api/api-keys', { body, headers: anyAddress() }))?.body.key
    return { account, bearer, counterpartyId: await registerEndpoint(scene.baseUrl, bearer) }
  }

  before(async () => {
    names = await startTxtNameServer(new Map())
    scene = await openOwnerScene({
      TRUSTED_PROXIES: '127.0.0.1',
      REGISTRATION_RATE_PER_HOUR: '20',
      DNS_SERVERS: names.address,
    })
    ada = await scene.owner()
    site = await listen((_req, res) => {
      challenges += 1
      res.writeHead(500).end()
    })
    await registerEndpoint(scene.baseUrl, scene.shop.apiKey, { counterpartyUrl: SHOPS_URL })
    for (let account = 0; account < SIZE.accounts; account += 1) {
      strangers.push(await scene.owner({ withPasskey: false }))
      for (let nth = 0; nth < SIZE.organisations; nth += 1) places.push(await openPlace(account))
    }
  })
  after(async () => {
    await scene?.service.stop()
    await site?.stop()
    await names?.stop()
  })

  const verify = ({ bearer, counterpartyId }: Place, fields: object): Promise<ApiAnswer<unknown>> =>
    scene.call('POST', '/api/agents/verify-access', {
      bearer,
      body: { counterpartyId, ...fields },
      headers: anyAddress(),
    })
  const scoreOf = async (agentId: string) => {
    const { body } = await scene.verifyUnproven(scene.asking(agentId, { transactionValue: 1 }))
    return body.agent.trustScore as number
  }
  /** An agent whose identity is on chain, so that nothing but behaviour moves its score. */
  const settledAgent = async () => {
    const agentId = await ada.agent()
    await waitUntil(async () => {
      const { agent } = (await ada.call('GET', `/api/agents/${agentId}`)).body
      return agent.blockchainStatus === 'verified' && agent.trustScore === (await scoreOf(agentId))
        ? true
        : null
    })
    return agentId
  }
  const outcomeOf = (name: string, account: number, { status, body }: ApiAnswer<unknown>): Outcome => {
    const { recommendation, code, access } = body as {
      recommendation?: string
      code?: string
      access?: { failures?: { dimension: string }[] }
    }
    const dimensions = (access?.failures ?? []).map(({ dimension }) => dimension)
    return { name, account, status, outcome: recommendation ?? code ?? '', dimensions }
  }
  const inBatches = async (works: readonly (() => Promise<unknown>)[]) => {
    for (let at = 0; at < works.length; at += BATCH)
      await Promise.all(works.slice(at, at + BATCH).map((work) => work()))
  }
  /** How often an attack ended in a way: overall, and at most for one account. */
  const count = (name: string, outcome: string) => {
    const found = outcomes.filter((each) => each.name === name && each.outcome === outcome)
    const ofAccount = strangers.map((_, account) => found.filter((each) => each.account === account).length)
    return { all: found.length, ofOne: Math.max(...ofAccount) }
  }

  it('does no more to an agent, its owner and other endpoints than its bounds allow', async () => {
    const pdlss = { selfInstantiation: { allowed: true, maxSubAgents: 2 } }
    const capped = await ada.agent({ pdlss: { limits: { maxTransactionsPerHour: 4 } } })
    const parent = await ada.agent({ pdlss })
    const held = await ada.agent()
    const challenged = await ada.agent({ apiEndpoint: site.url, pdlss: {} })
    const tried = await ada.agent()
    const scored = await settledAgent()
    const before = await scoreOf(scored)
    const attacks: Readonly<Record<string, (place: Place) => Promise<ApiAnswer<unknown>>>> = {
      cap: (place) => verify(place, { agentId: capped, transactionValue: 0.01 }),
      subAgents: (place) => verify(place, { agentId: parent, subAgent: { depth: 1 }, sessionDuration: 600 }),
      approvals: (place) => verify(place, scene.asking(held, { counterpartyId: place.counterpartyId })),
      challenges: (place) => verify(place, { agentId: challenged, enableRuntimeChallenge: true }),
      dryRuns: (place) => {
        const { counterpartyId } = place
        return verify(place, scene.asking(tried, { counterpartyId, dryRun: true, transactionValue: 1 }))
      },
      score: (place) => {
        const { counterpartyId } = place
        return verify(
          place,
          scene.asking(scored, { counterpartyId, resource: '/elsewhere', jurisdiction: 'us' }),
        )
      },
      paths: (place) => {
        const counterpartyUrl = `https://${UNCLAIMED}/${randomUUID()}`
        return verify(place, { agentId: scored, counterpartyId: undefined, counterpartyUrl })
      },
      host: ({ bearer }) =>
        scene.call('POST', '/api/endpoints', {
          bearer,
          body: {
            counterpartyType: 'api',
            name: 'Shop',
            counterpartyUrl: SHOPS_URL,
          },
          headers: anyAddress(),
        }),
    }
    const rounds = Array.from({ length: SIZE.rounds }, () => places).flat()
    await inBatches(
      rounds.flatMap((place) =>
        Object.entries(attacks).map(([name, attack]) => async () => {
          outcomes.push(outcomeOf(name, place.account, await attack(place)))
        }),
      ),
    )
    expect(outcomes.filter(({ status }) => status >= 500)).to.deep.equal([])

    expect(count('cap', 'grant').ofOne).to.equal(4)
    expect(count('subAgents', 'grant').ofOne).to.equal(2)
    expect(count('approvals', 'step_up_required')).to.deep.equal({ all: 20, ofOne: 3 })
    expect(challenges).to.be.at.most(6 * SIZE.accounts)
    const dryRuns = outcomes.filter(({ name, status }) => name === 'dryRuns' && status === 200)
    expect(dryRuns.length).to.equal(20)
    expect(count('dryRuns', 'RATE_LIMITED').all).to.equal(rounds.length - 20)
    expect(count('dryRuns', 'grant').ofOne).to.be.at.most(5)
    expect(await scoreOf(scored)).to.equal(before)
    expect(count('host', 'URL_ALREADY_CLAIMED').all).to.equal(rounds.length)
    const paths = await scene.store('SELECT id FROM endpoints WHERE url LIKE ?', `https://${UNCLAIMED}%`)
    expect(paths.length).to.be.at.most(places.length)

    const own = async (agentId: string, fields: object) =>
      (await scene.verify({ agentId, counterpartyId: scene.svceId, ...fields })).body.recommendation
    const ownGrants = async (agentId: string, fields: object) => {
      let grants = 0
      while ((await own(agentId, fields)) === 'grant') grants += 1
      return grants
    }
    expect(await ownGrants(capped, { transactionValue: 0.01 })).to.equal(4)
    expect(await ownGrants(parent, { subAgent: { depth: 1 }, sessionDuration: 600 })).to.equal(2)
    expect((await scene.asked(held)).approvalId).to.be.a('string')
    const digests = await scene.store(
      `SELECT id FROM mail_outbox WHERE template = 'approvals_unproven' AND recipient = ?`,
      ada.email,
    )
    expect(digests.length).to.be.at.most(SIZE.accounts)
    reportFaultFigure(
      `${outcomes.length} requests that prove nothing, of ${SIZE.accounts} accounts with ${places.length} organisations, each request from another address: ` +
        `at most 4 grants of an account against an hourly cap of 4 and 2 sub-agents against a maximum of 2, all of the agent’s own left; ` +
        `20 approvals asked, 3 of an account, in ${digests.length} mails; ${challenges} challenges in a minute, 20 dry runs in a day; ` +
        `score moved by 0; 0 of ${rounds.length} endpoints registered at the URL of another’s, ${paths.length} rows for ${rounds.length} paths of an unclaimed one`,
    )
  })

  it('moves the score of an agent that proves itself at all organisations of an account by at most 8', async () => {
    const agentId = await settledAgent()
    const before = await scoreOf(agentId)
    const ofOne = places.filter(({ account }) => account === 0)
    for (let round = 0; round < 2; round += 1) {
      for (const { bearer, counterpartyId } of ofOne) {
        const asking = scene.asking(agentId, { counterpartyId, transactionValue: 5, resource: '/elsewhere' })
        const body = await scene.prove(asking)
        const answer = await scene.call('POST', '/api/agents/verify-access', { bearer, body })
        expect(answer.body.recommendation).to.equal('deny')
      }
    }
    const lost = before - (await scoreOf(agentId))
    expect(lost).to.be.within(1, 8)
    reportFaultFigure(
      `${2 * ofOne.length} proven violations at ${ofOne.length} organisations of one account: score ${lost} lower`,
    )
  })

  it('learns at most one decimal digit of a Hard Limit at all organisations of an account before the owner is warned', async () => {
    const agentId = await ada.agent({ pdlss: { limits: { approvalThreshold: HARD_LIMIT } } })
    const ofOne = places.filter(({ account }) => account === 0)
    const twin = createLimitWatch()
    let nth = 0
    const { digits, steps } = await searchByBisection(true, async (amount) => {
      const place = ofOne[nth++ % ofOne.length] as Place
      const { dimensions } = outcomeOf('', 0, await verify(place, { agentId, transactionValue: amount }))
      const isOver = dimensions.includes('pdlss.limits')
      return {
        isOver,
        isNoticed: twin.note({ agentId, accountId: '', amount, isOver }, scene.time.now) !== null,
      }
    })
    expect(digits).to.be.at.most(1)
    await waitUntil(async () => {
      const alerts = (await ada.call('GET', '/api/alerts?limit=100')).body.items
      return alerts.some(
        ({ code, data }: { code: string; data: { agentId?: string } }) =>
          code === 'limit_probing' && data.agentId === agentId,
      )
        ? true
        : null
    })
    reportFaultFigure(
      `search for a Hard Limit over ${ofOne.length} organisations: owner warned after ${steps} answers`,
    )
  })

  it('registers twenty agents an hour from a network, each by a new key', async () => {
    const path = '/api/agents/register'
    const body = { name: 'Stranger' }
    const statuses: number[][] = Array.from({ length: NETWORKS }, () => [])
    const register = async (nth: number) => {
      const account = privateKeyToAccount(generatePrivateKey())
      const timestamp = Math.floor(scene.time.now / 1000)
      const signed = await signHeaders(account, {
        method: 'POST',
        path,
        body: JSON.stringify(body),
        timestamp,
      })
      const network = nth % NETWORKS
      const headers = { ...signed, 'x-forwarded-for': `198.51.${network}.${1 + (nth % 250)}` }
      statuses[network]?.push((await scene.call('POST', path, { body, headers })).status)
    }
    await inBatches(Array.from({ length: SIZE.registrations }, (_, nth) => () => register(nth)))
    for (const ofNetwork of statuses) {
      const admitted = ofNetwork.filter((status) => status === 201).length
      expect(admitted).to.equal(20)
      expect(ofNetwork.filter((status) => status === 429).length).to.equal(ofNetwork.length - 20)
    }
    reportFaultFigure(
      `${SIZE.registrations} registrations, each by a new key, from ${NETWORKS} networks: ${20 * NETWORKS} admitted, 20 of each network`,
    )
  })
})
