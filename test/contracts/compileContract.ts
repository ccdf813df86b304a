import hre from 'hardhat'
import type { Abi, Hex } from 'viem'
import { runExclusively } from '../harness/runner/runExclusively.ts'

/** Returns ABI and creation bytecode of a contract without a committed artifact, and compiles it if necessary. */
export async function compileContract(
  name: string,
  folder = 'contracts',
): Promise<{ abi: Abi; bytecode: Hex }> {
  // Hardhat's cache is a single file, so two concurrent builds would corrupt it.
  return runExclusively('contracts', async () => {
    await hre.tasks.getTask('build').run({ files: [`${folder}/${name}.sol`], quiet: true })
    // Hardhat caches the list of artifacts, which the build may just have extended.
    await hre.artifacts.clearCache()
    const { abi, bytecode } = await hre.artifacts.readArtifact(name)
    return { abi, bytecode: `0x${bytecode.slice(2)}` as const }
  })
}
