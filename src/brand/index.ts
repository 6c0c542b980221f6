// The entry point of the brand: button and badge for merchants' pages.
export { buttonDescription, buttonSize, drawButton } from './button/button.ts'
export { loadPngRenderer } from './button/png.ts'
export { brandWords } from './messages.ts'
export {
  type Button,
  type ButtonImage,
  badgePath,
  buttonPath,
  buttonStyles,
  buttonTypes,
  type Culture,
  cultures,
  imageFormats,
} from './model.ts'
export { brandRoutes } from './routes.ts'
export { type ButtonQuery, readButtonQuery } from './rules.ts'
