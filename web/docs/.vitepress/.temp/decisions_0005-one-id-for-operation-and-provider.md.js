import { t as _plugin_vue_export_helper_default } from "./plugin-vue_export-helper.DjkACiAr.js";
import { useSSRContext } from "vue";
import { ssrRenderAttrs } from "vue/server-renderer";
// docs/decisions/0005-one-id-for-operation-and-provider.md
var __pageData = JSON.parse("{\"title\":\"0005: One id for operation and provider\",\"description\":\"\",\"frontmatter\":{},\"headers\":[],\"relativePath\":\"decisions/0005-one-id-for-operation-and-provider.md\",\"filePath\":\"decisions/0005-one-id-for-operation-and-provider.md\"}");
var _sfc_main = { name: "decisions/0005-one-id-for-operation-and-provider.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
	_push(`<div${ssrRenderAttrs(_attrs)}><h1 id="0005-one-id-for-operation-and-provider" tabindex="-1">0005: One id for operation and provider <a class="header-anchor" href="#0005-one-id-for-operation-and-provider" aria-label="Permalink to “0005: One id for operation and provider”">​</a></h1><h2 id="context" tabindex="-1">Context <a class="header-anchor" href="#context" aria-label="Permalink to “Context”">​</a></h2><p>A checkout can see several attempts before the customer pays. A payment by token, a capture or a refund is sent to its network only once. An attempt row for each of these would double the rows of the busiest tables.</p><h2 id="decision" tabindex="-1">Decision <a class="header-anchor" href="#decision" aria-label="Permalink to “Decision”">​</a></h2><p><strong>If an operation can be tried only once, its own id is the idempotency key at the provider.</strong></p><p>The operation is the record of its request. Only a request without an answer in time gets a row of <code>attempts</code>.</p><h2 id="consequences" tabindex="-1">Consequences <a class="header-anchor" href="#consequences" aria-label="Permalink to “Consequences”">​</a></h2><ul><li>A payment by token needs a read of the card and two grouped statements: one opens the operation, one settles it.</li><li>The same path serves captures, releases, refunds and payouts.</li><li>A payment by phone without a checkout uses the operation&#39;s id too. On a checkout the key is the id of the attempt.</li><li>Support can search the provider&#39;s dashboard by the operation&#39;s id.</li></ul><h2 id="check" tabindex="-1">Check <a class="header-anchor" href="#check" aria-label="Permalink to “Check”">​</a></h2><p><code>test/spec/card-api.test.ts</code> (&quot;whose acquirer is silent stays pending, and is charged once it says so&quot;).</p><p class="all-pages"><a href="/docs/">All pages</a></p></div>`);
}
var _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
	const ssrContext = useSSRContext();
	(ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/0005-one-id-for-operation-and-provider.md");
	return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
var _0005_one_id_for_operation_and_provider_default = /*#__PURE__*/ _plugin_vue_export_helper_default(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export { __pageData, _0005_one_id_for_operation_and_provider_default as default };
