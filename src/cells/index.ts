// The entry point of cells: gateways that share one database.
export { readCell, setCell, stopFirst } from './number.ts'
export { createProcesses, type Processes } from './processes.ts'
