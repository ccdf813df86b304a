#!/usr/bin/env node
import { runGate } from './runGate.ts'

process.exitCode = await runGate(process)
