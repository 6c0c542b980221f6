// Where VitePress looks for its theme: its own one, without fonts, in our colours.
import DefaultTheme from 'vitepress/theme-without-fonts'
import '../../docs.css'

export default DefaultTheme
