#!/usr/bin/env node
import { runSvc } from './runSvc.ts'
import { openTerminal } from './terminal/openTerminal.ts'

const terminal = openTerminal(process)
process.exitCode = await runSvc(process.argv.slice(2), terminal)
terminal.close()
