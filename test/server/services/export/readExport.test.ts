import { expect } from 'chai'
import { readExportFile } from '../../../../server/services/export/readExport.ts'
import type { DataExport } from '../../../../server/store/personal/exportStore.ts'

const PART = Buffer.from('abc')

describe('readExportFile', () => {
  const found: DataExport = {
    ...{ id: 'x', userId: 'ada', status: 'ready', attempts: 1 },
    ...{ sizeBytes: 6, requestedAt: 1, readyAt: 2, expiresAt: 3 },
  }

  async function read(parts: number): Promise<Uint8Array[]> {
    const exports = { part: async (_: string, number: number) => (number < parts ? PART : null) }
    const chunks: Uint8Array[] = []
    for await (const chunk of readExportFile({ exports }, found, new AbortController().signal))
      chunks.push(chunk)
    return chunks
  }

  it('ends with the last part', async () => {
    expect(await read(3)).to.deep.equal([PART, PART])
  })

  it('fails if the file is deleted meanwhile, so that nobody takes a part for the whole', async () => {
    const failed = await read(1).catch(({ message }: Error) => message)
    expect(failed).to.equal('an export was deleted while it was being downloaded')
  })
})
