import { expect } from 'chai'
import { type Abi, toEventSelector, toFunctionSelector } from 'viem'
import { identityRegistry } from '../../../server/chain/artifacts/identityRegistry.ts'
import { compileContract } from '../compileContract.ts'
import { renderComparableAbi } from '../renderComparableAbi.ts'
import { additionsAbi, referenceAbi } from './identityRegistryAbi.ts'

describe('IdentityRegistry: interface', () => {
  it('equals the reference plus the additions, down to the argument names', () => {
    const withoutResultNames = (abi: Abi) =>
      abi.map((item) =>
        item.type === 'function' && item.outputs.length === 1
          ? { ...item, outputs: item.outputs.map((output) => ({ ...output, name: '' })) }
          : item,
      )
    const ours = renderComparableAbi(withoutResultNames(identityRegistry.abi))
    expect(ours).to.deep.equal(renderComparableAbi(withoutResultNames([...referenceAbi, ...additionsAbi])))
  })

  it('shares all selectors and topics with a plain registry, which lacks only the additions', async () => {
    const plain = selectorsOf((await compileContract('PlainIdentityRegistry', 'test/solidity/mocks')).abi)
    const ours = selectorsOf(identityRegistry.abi)
    expect([...plain].filter((selector) => !ours.has(selector))).to.deep.equal([])
    const additional = selectorsOf(additionsAbi)
    expect([...ours].filter((selector) => !plain.has(selector)).sort()).to.deep.equal([...additional].sort())
  })
})

function selectorsOf(abi: Abi): Set<string> {
  return new Set(
    abi.flatMap((item) => {
      if (item.type === 'function') return [toFunctionSelector(item)]
      return item.type === 'event' ? [toEventSelector(item)] : []
    }),
  )
}
