import { verificationBodyOf } from '@svc/core/authzen/verificationBodyOf.ts'
import { expect } from 'chai'

const evaluation = (changes: object = {}) => ({
  subject: { type: 'agent', id: 'SVC-1' },
  action: { name: 'read' },
  resource: { type: 'record', id: 'record-1' },
  ...changes,
})
const bodyOf = (changes: object = {}) => verificationBodyOf(evaluation(changes)).body

describe('verificationBodyOf', () => {
  it('puts the four members where verify-access expects them', () => {
    expect(bodyOf()).to.deep.equal({
      agentId: 'SVC-1',
      purpose: 'read',
      resource: 'record-1',
      resourceType: 'record',
    })
  })

  it('names no agent for an anonymous subject', () => {
    expect(bodyOf({ subject: { type: 'anonymous', id: '-' } })).not.to.have.property('agentId')
  })

  it('takes the category from the action’s properties if it is named there', () => {
    const action = { name: 'refund', properties: { purpose: 'shopping' } }
    expect(bodyOf({ action })).to.include({ purpose: 'shopping', action: 'refund' })
    const unnamed = bodyOf({ action: { name: 'shopping:refund', properties: { purpose: null } } })
    expect(unnamed).to.include({ purpose: 'shopping:refund' }).and.not.have.property('action')
  })

  it('reads an endpoint as the counterparty, by identifier or by URL', () => {
    const properties = { resource: '/orders/1', resourceType: 'order' }
    const byId = bodyOf({ resource: { type: 'endpoint', id: 'SVCE-1', properties } })
    expect(byId).to.include({ counterpartyId: 'SVCE-1', resource: '/orders/1', resourceType: 'order' })
    const byUrl = bodyOf({ resource: { type: 'endpoint', id: 'https://acme.io/' } })
    expect(byUrl).to.include({ counterpartyUrl: 'https://acme.io/' }).and.not.have.property('resource')
  })

  it('asks about the endpoint only if the resource is of that type', () => {
    const properties = {
      counterpartyId: 'SVCE-2',
      counterpartyUrl: 'https://other.io/',
      counterpartyType: 'api',
    }
    expect(bodyOf({ resource: { type: 'endpoint', id: 'https://acme.io/', properties } }))
      .to.include({ counterpartyUrl: 'https://acme.io/', counterpartyType: 'api' })
      .and.not.have.property('counterpartyId')
    expect(bodyOf({ resource: { type: 'endpoint', id: 'SVCE-1', properties } }))
      .to.include({ counterpartyId: 'SVCE-1' })
      .and.not.have.property('counterpartyUrl')
  })

  it('takes known members only from their own objects, and reports where they were', () => {
    const { body, pointers } = verificationBodyOf(
      evaluation({
        subject: { type: 'agent', id: 'SVC-1', properties: { subAgent: { depth: 1 } } },
        action: { name: 'read', properties: { transactionValue: 5, agentId: 'SVC-2' } },
        resource: { type: 'record', id: 'record-1', properties: { counterpartyId: 'SVCE-1', purpose: 'x' } },
        context: { jurisdiction: 'DE', agentId: 'SVC-3', ip: '::1', attemptId: null },
      }),
    )
    expect(body).to.deep.equal({
      ...{ agentId: 'SVC-1', purpose: 'read', resource: 'record-1', resourceType: 'record' },
      ...{ subAgent: { depth: 1 }, transactionValue: 5, counterpartyId: 'SVCE-1', jurisdiction: 'DE' },
    })
    expect(pointers).to.include({
      transactionValue: '/action/properties/transactionValue',
      jurisdiction: '/context/jurisdiction',
      agentId: '/subject/id',
    })
  })

  it('reports a known member in an object where it is not read', () => {
    const misplaced = (changes: object) => verificationBodyOf(evaluation(changes)).misplaced
    expect(misplaced({ context: { transactionValue: 5, ip: '::1', currency: null } })).to.deep.equal([
      {
        pointer: '/context/transactionValue',
        code: 'misplaced',
        message: 'belongs in /action/properties/transactionValue',
      },
    ])
    const action = { name: 'read', properties: { jurisdiction: 'DE', attemptId: 'x', sessionDuration: 5 } }
    expect(misplaced({ action }).map(({ pointer }) => pointer)).to.deep.equal([
      '/action/properties/jurisdiction',
      '/action/properties/attemptId',
    ])
  })
})
