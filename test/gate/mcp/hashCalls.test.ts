import { hashCalls } from '@svc/gate/mcp/hashCalls.ts'
import { expect } from 'chai'

const textOf = (given: string, id = 1) =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"pay","arguments":${given}}}`

describe('the hash of a call', () => {
  it('is the same for equal calls, alone or in a batch, and differs with the arguments', () => {
    const [one] = hashCalls(textOf('{"to":1}'))
    const batch = hashCalls(`[${textOf('{"to":1}', 2)},{"method":"ping"},${textOf('{"to":2}')}]`)
    expect(batch[0]).to.equal(one)
    expect(new Set(batch).size).to.equal(3)
  })

  it('tells apart what is one number or text in JavaScript', () => {
    const spellings = ['9007199254740993', '9007199254740992', '1e400', '2e400', '1', '1.0', '"1"', '"#1"']
    const hashes = spellings.flatMap((spelling) => hashCalls(textOf(`{"to":${spelling}}`)))
    expect(new Set(hashes).size).to.equal(spellings.length)
  })
})
