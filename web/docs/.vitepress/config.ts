// Where VitePress looks for its settings; they stand in tools/docs, where types are checked as those of Node.
export { site as default } from '../../../tools/docs/site.ts'
