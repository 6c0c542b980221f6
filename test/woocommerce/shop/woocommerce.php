<?php
/**
 * Parts of WooCommerce for the plugin: settings, payment methods, notices, log and block checkout.
 */

declare(strict_types=1);

namespace {

	abstract class WC_Payment_Gateway {

		public string $id                 = '';
		public string $title              = '';
		public string $description        = '';
		public string $method_title       = '';
		public string $method_description = '';
		public string $enabled            = 'no';
		public string $view_transaction_url = '';
		public bool $has_fields           = false;
		public array $supports            = array();
		public array $form_fields         = array();
		public array $settings            = array();
		private array $errors             = array();

		public function init_settings() {
			$this->settings = get_option( "woocommerce_{$this->id}_settings", array() );
			$this->enabled  = $this->settings['enabled'] ?? 'no';
		}

		public function get_option( string $name ) {
			return $this->settings[ $name ] ?? $this->form_fields[ $name ]['default'] ?? '';
		}

		/** A field that its method refuses keeps its value. */
		public function process_admin_options() {
			$this->init_settings();
			foreach ( array_keys( $this->form_fields ) as $name ) {
				$value = $_POST[ "woocommerce_{$this->id}_$name" ] ?? null;
				try {
					$method                  = "validate_{$name}_field";
					$this->settings[ $name ] = is_callable( array( $this, $method ) ) ? $this->$method( $name, $value ) : trim( (string) $value );
				} catch ( Exception $problem ) {
					$this->add_error( $problem->getMessage() );
				}
			}
			return update_option( "woocommerce_{$this->id}_settings", $this->settings );
		}

		public function add_error( $error ) {
			$this->errors[] = $error;
		}

		public function get_errors(): array {
			return $this->errors;
		}

		public function admin_options() {
			echo implode( ' ', array_column( $this->form_fields, 'title' ) );
		}

		public function is_available() {
			return 'yes' === $this->enabled;
		}

		public function get_title() {
			return $this->title;
		}

		public function get_description() {
			return $this->description;
		}

		public function can_refund_order( $order ) {
			return in_array( 'refunds', $this->supports, true );
		}

		public function get_transaction_url( $order ) {
			return '' === $this->view_transaction_url ? '' : sprintf( $this->view_transaction_url, $order->get_transaction_id() );
		}
	}

	final class WC_Admin_Settings {
		public static function add_error( string $error ): void {
			$GLOBALS['shop_errors'][] = $error;
		}
	}

	final class Shop {
		public function api_request_url( string $name ): string {
			return site_url( "/wc-api/$name/" );
		}
	}

	final class Shop_Logger {
		public function __call( string $level, array $values ): void {
			Shop_Store::log( $level, $values[0] );
		}
	}

	function WC(): Shop {
		return new Shop();
	}

	function site_url( string $path ): string {
		return "http://{$_SERVER['HTTP_HOST']}$path";
	}

	function get_woocommerce_currency(): string {
		return get_option( 'woocommerce_currency', 'EUR' );
	}

	function wc_get_page_permalink( string $page ): string {
		return site_url( "/$page" );
	}

	function wc_add_notice( string $text, string $kind ): void {
		$GLOBALS['shop_notices'][] = $text;
	}

	function wc_get_logger(): Shop_Logger {
		return new Shop_Logger();
	}

	/** The plugin's payment method, as WooCommerce finds it. */
	function shop_gateway(): WC_Payment_Gateway {
		$class = apply_filters( 'woocommerce_payment_gateways', array() )[0];
		return new $class();
	}
}

namespace Automattic\WooCommerce\Utilities {
	final class FeaturesUtil {
		public static function declare_compatibility( string $feature, string $file, bool $compatible ): void {
			$GLOBALS['shop_features'][] = $feature;
		}
	}
}

namespace Automattic\WooCommerce\Blocks\Payments\Integrations {
	abstract class AbstractPaymentMethodType {
		protected $name = '';
		public function get_name(): string {
			return $this->name;
		}
	}
}
