import { expect } from 'chai'
import { checkAnswer } from '../harness/service/checkAnswer.ts'

describe('checkAnswer', () => {
  it('rejects a response that lacks a member of its schema, and accepts one of an unknown path', () => {
    expect(() => checkAnswer('GET', '/api/chain', 200, { success: true })).to.throw('GET /api/chain')
    expect(() => checkAnswer('GET', '/api/agents/SVC-1?x=1', 200, { success: true })).to.throw(
      '/api/agents/SVC-1',
    )
    expect(() => checkAnswer('GET', '/elsewhere', 200, { success: true })).not.to.throw()
  })
})
