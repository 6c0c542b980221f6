// VitePress settings, imported from tools/docs.
export { site as default } from '../../../tools/docs/site.ts'
