import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { buildSiweBody } from '../builders/buildSiweBody.ts'
import {
  createOrganisation,
  type Organisation,
  registerAgent,
  registerEndpoint,
} from '../builders/participants.ts'
import { testsPostgres } from '../harness/database/postgres.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'
import { startTwoProcesses, type TwoProcesses } from '../harness/service/startTwoProcesses.ts'

const LIMIT = 437.61

describe('a search for a Hard Limit over two processes and one PostgreSQL', () => {
  let two: TwoProcesses
  let shop: Organisation
  let counterpartyId: string

  before(async function () {
    if (!testsPostgres) this.skip()
    two = await startTwoProcesses()
    shop = await createOrganisation(baseUrl(0))
    counterpartyId = await registerEndpoint(baseUrl(0), shop.apiKey)
  })
  after(() => two?.stop())

  const baseUrl = (nth: number): string => two.baseUrls[nth] ?? ''

  for (const [name, amounts] of [
    ['that is only denied', [900, 800, 700]],
    ['that is denied in one and granted in the other', [440, 430, 435]],
  ] as const)
    it(`is noticed ${name}, although each saw too little of it`, async () => {
      const account = privateKeyToAccount(generatePrivateKey())
      const pdlss = { limits: { approvalThreshold: LIMIT } }
      const { svcId } = await registerAgent(baseUrl(0), { pdlss }, { account })
      const body = await buildSiweBody(baseUrl(0), account)
      const { accessToken } = (await api(baseUrl(0), 'POST', '/api/auth/siwe', { body })).body.data
      const isWarned = async () => {
        const { items } = (await api(baseUrl(1), 'GET', '/api/alerts', { bearer: accessToken })).body
        return items.some(({ code }: { code: string }) => code === 'limit_probing')
      }
      const ask = (nth: number, transactionValue: number) =>
        api(baseUrl(nth), 'POST', '/api/agents/verify-access', {
          bearer: shop.apiKey,
          body: { agentId: svcId, counterpartyId, transactionValue },
        })
      const isStored = async (count: number) => {
        const [row] = await two.rows<{ n: string }>(
          `SELECT count(*) AS n FROM limit_answers WHERE agent_id = '${svcId}'`,
        )
        return Number(row?.n) === count
      }
      for (const [nth, amount] of amounts.entries()) {
        expect(await isWarned()).to.equal(false)
        await ask(nth % 2, amount)
        await waitUntil(async () => {
          if (await isStored(nth + 1)) return true
          // The other process learns of a denial milliseconds later; until then it notes nothing that passes.
          if (amount < LIMIT) await ask(nth % 2, amount)
          return null
        })
      }
      await waitUntil(async () => ((await isWarned()) ? true : null))
    })
})
