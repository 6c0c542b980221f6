<?php
/**
 * Comporta in the block checkout.
 *
 * @package Comporta\WooCommerce
 */

declare(strict_types=1);

namespace Comporta\WooCommerce;

use Automattic\WooCommerce\Blocks\Payments\Integrations\AbstractPaymentMethodType;

defined( 'ABSPATH' ) || exit;

/** Shows the payment method in the block checkout. */
final class Blocks_Method extends AbstractPaymentMethodType {

	/**
	 * Id of the payment method.
	 *
	 * @var string
	 */
	protected $name = GATEWAY_ID;

	/** The payment method itself. */
	private Gateway $gateway;

	/** Called before anything else. */
	public function initialize() {
		$this->gateway = new Gateway();
	}

	/** Whether customers can use it. */
	public function is_active() {
		return $this->gateway->is_available();
	}

	/** The script that registers it in the page. */
	public function get_payment_method_script_handles() {
		$needs = array( 'wc-blocks-registry', 'wc-settings', 'wp-element', 'wp-html-entities' );
		wp_register_script( 'comporta-blocks', plugins_url( 'assets/blocks.js', PLUGIN_FILE ), $needs, VERSION, true );
		return array( 'comporta-blocks' );
	}

	/** Data for the script. */
	public function get_payment_method_data() {
		return array(
			'title'       => $this->gateway->get_title(),
			'description' => $this->gateway->get_description(),
			'supports'    => $this->gateway->supports,
		);
	}
}
