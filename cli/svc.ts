#!/usr/bin/env node
import { runSvc } from './runSvc.ts'
import { openTerminal } from './terminal/openTerminal.ts'

// Whoever reads the output may stop early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})
const terminal = openTerminal(process)
process.exitCode = await runSvc(process.argv.slice(2), terminal)
terminal.close()
