import hre from 'hardhat'
import type { Abi, Hex } from 'viem'
import { alone } from '../harness/runner/alone.ts'

/** ABI and creation bytecode of a contract that is not among the committed artifacts: compiled when it has to be. */
export async function compileContract(
  name: string,
  folder = 'contracts',
): Promise<{ abi: Abi; bytecode: Hex }> {
  // Hardhat's cache is one file, which two builds at once would take from each other.
  return alone('contracts', async () => {
    await hre.tasks.getTask('build').run({ files: [`${folder}/${name}.sol`], quiet: true })
    // The list of artifacts is read once and kept, and in a new clone the build has just added to it.
    await hre.artifacts.clearCache()
    const { abi, bytecode } = await hre.artifacts.readArtifact(name)
    return { abi, bytecode: `0x${bytecode.slice(2)}` as const }
  })
}
