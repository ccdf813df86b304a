import { recommendToken } from '@svc/core/access/recommendToken.ts'
import { expect } from 'chai'
import { AGENT, ENDPOINT } from './twoBoundaries.ts'

describe('token guidance', () => {
  it('for the owner is based on both boundaries', () => {
    const guidance = recommendToken({
      endpoint: ENDPOINT,
      agent: AGENT,
      accessLevel: 'standard',
      sessionSeconds: 300,
    })
    expect(guidance).to.deep.equal({
      scopes: ['read', 'write', 'shopping.search'],
      ttlSeconds: 300,
      rateLimit: { transactionsPerHour: 10 },
    })
  })

  it('for anyone else is based only on the endpoint, and omits the session length', () => {
    const guidance = recommendToken({
      endpoint: ENDPOINT,
      agent: undefined,
      accessLevel: 'standard',
      sessionSeconds: 300,
    })
    expect(guidance).to.deep.equal({
      scopes: ['read', 'write', 'shopping.search', 'refund'],
      ttlSeconds: 1800,
      rateLimit: { transactionsPerHour: 20 },
    })
  })

  it('is read-only at restricted access, and absent without access', () => {
    const at = (accessLevel: 'restricted' | 'none') =>
      recommendToken({ endpoint: {}, agent: undefined, accessLevel, sessionSeconds: 300 }).scopes
    expect(at('restricted')).to.deep.equal(['read'])
    expect(at('none')).to.deep.equal([])
  })

  it('names scopes by the level of access', () => {
    const levels = ['none', 'restricted', 'read-only', 'standard', 'full', 'internal'] as const
    const scopes = levels.map((accessLevel) => [
      accessLevel,
      recommendToken({ endpoint: {}, agent: undefined, accessLevel, sessionSeconds: 300 }).scopes,
    ])
    expect(Object.fromEntries(scopes)).to.deep.equal({
      none: [],
      restricted: ['read'],
      'read-only': ['read'],
      standard: ['read', 'write'],
      full: ['read', 'write', 'transact'],
      internal: ['read', 'write', 'transact'],
    })
  })

  it('adds the named actions, and the categories if no action is named', () => {
    const scopesOf = (purpose: object) =>
      recommendToken({
        endpoint: { purpose },
        agent: undefined,
        accessLevel: 'read-only',
        sessionSeconds: 300,
      }).scopes
    expect(scopesOf({ categories: ['shopping'] })).to.deep.equal(['read', 'shopping'])
    expect(scopesOf({ categories: ['shopping'], allowedActions: ['buy'] })).to.deep.equal(['read', 'buy'])
  })

  it('lasts fifteen minutes, a session or the lifetime of tokens, whichever is set', () => {
    const ttlOf = (duration: object, agent?: object) =>
      recommendToken({ endpoint: { duration }, agent, accessLevel: 'full', sessionSeconds: 1200 }).ttlSeconds
    expect(ttlOf({})).to.equal(900)
    expect(ttlOf({ maxSessionDuration: 1800 })).to.equal(1800)
    expect(ttlOf({ maxSessionDuration: 1800, ttl: 60 })).to.equal(60)
    expect(ttlOf({ maxSessionDuration: 1800 }, {})).to.equal(1200)
    expect(ttlOf({}, {})).to.equal(900)
  })

  it('says that transactions are not counted if they are not', () => {
    const guidance = recommendToken({
      endpoint: {},
      agent: undefined,
      accessLevel: 'full',
      sessionSeconds: 300,
    })
    expect(guidance.rateLimit).to.deep.equal({ transactionsPerHour: null })
  })
})
