// VitePress theme without web fonts.
import DefaultTheme from 'vitepress/theme-without-fonts'
import '../../docs.css'

export default DefaultTheme
