import { writeFileSync } from 'node:fs'
import Mocha from 'mocha'

/** Mocha's spec report; if `FAILED_FILES` names a file, it also lists the failed test files there, one per line. */
export default class FailedFilesReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options)
    const { FAILED_FILES: report } = process.env
    if (report === undefined) return
    const failed = new Set<string>()
    runner.on('fail', ({ file }: Mocha.Runnable) => failed.add(file ?? 'unknown'))
    runner.once('end', () => writeFileSync(report, [...failed].map((file) => `${file}\n`).join('')))
  }
}
