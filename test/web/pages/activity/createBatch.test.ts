import { expect } from 'chai'
import { createBatch } from '../../../../web/src/pages/activity/createBatch.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'

describe('createBatch', () => {
  it('hands on together, in order, what arrives within the delay', async () => {
    const taken: (readonly number[])[] = []
    const batch = createBatch<number>(5, (items) => taken.push(items))
    for (const item of [1, 2, 3]) batch.add(item)
    expect(taken).to.deep.equal([])
    await waitUntil(async () => (taken.length > 0 ? true : null))
    batch.add(4)
    await waitUntil(async () => (taken.length > 1 ? true : null))
    expect(taken).to.deep.equal([[1, 2, 3], [4]])
  })

  it('hands on immediately when told to, once, and never nothing', async () => {
    const taken: (readonly number[])[] = []
    const batch = createBatch<number>(5, (items) => taken.push(items))
    batch.flush()
    batch.add(1)
    batch.flush()
    batch.flush()
    batch.add(2)
    await waitUntil(async () => (taken.length > 1 ? true : null))
    expect(taken).to.deep.equal([[1], [2]])
  })
})
